/* SPDX-License-Identifier: Apache-2.0 */
/* bus COUNT calls|signal: measures the session bus: one call of another process, and the request of a name as ReserveDevice1 makes
   it; or a signal that passes through the bus to another process. Needs DBUS_SESSION_BUS_ADDRESS. */
#include "meeting.h"

#include <dbus/dbus.h>
#include <string.h>

enum { WARM_UP = 100 };

static const char service[] = "org.example.Bench", path[] = "/bench";
static struct meeting *meeting;

static DBusConnection *connected(void) {
    DBusConnection *bus = dbus_bus_get_private(DBUS_BUS_SESSION, NULL);
    REQUIRE(bus);
    dbus_connection_set_exit_on_disconnect(bus, FALSE);
    return bus;
}

static void serve(void) {
    DBusConnection *bus = connected();
    REQUIRE(dbus_bus_request_name(bus, service, 0, NULL) == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER);
    dbus_bus_add_match(bus, "type='signal',interface='org.example.Bench'", NULL);
    dbus_connection_flush(bus);
    meeting_tell(meeting->to_causer);
    while (dbus_connection_read_write(bus, -1)) {
        DBusMessage *message;
        while ((message = dbus_connection_pop_message(bus))) {
            if (dbus_message_is_signal(message, service, "Notified")) {
                meeting->delivered = now();
                meeting_tell(meeting->to_causer);
            } else if (dbus_message_is_method_call(message, service, "Call")) {
                DBusMessage *reply = dbus_message_new_method_return(message);
                dbus_connection_send(bus, reply, NULL);
                dbus_connection_flush(bus);
                dbus_message_unref(reply);
            }
            dbus_message_unref(message);
        }
    }
    _exit(0);
}

static double call(DBusConnection *bus) {
    DBusMessage *message = dbus_message_new_method_call(service, path, service, "Call");
    uint64_t start = now();
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, message, -1, NULL);
    uint64_t end = now();
    REQUIRE(reply);
    dbus_message_unref(reply);
    dbus_message_unref(message);
    return (double)(end - start) / 1e3;
}

static double reserve(DBusConnection *bus) {
    static const char name[] = "org.freedesktop.ReserveDevice1.Audio0";
    uint64_t start = now();
    int answer = dbus_bus_request_name(bus, name, DBUS_NAME_FLAG_DO_NOT_QUEUE, NULL);
    uint64_t end = now();
    REQUIRE(answer == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER);
    REQUIRE(dbus_bus_release_name(bus, name, NULL) == DBUS_RELEASE_NAME_REPLY_RELEASED);
    return (double)(end - start) / 1e3;
}

static double signalled(DBusConnection *bus) {
    DBusMessage *message = dbus_message_new_signal(path, service, "Notified");
    uint64_t start = now();
    dbus_connection_send(bus, message, NULL);
    dbus_connection_flush(bus);
    meeting_wait(meeting->to_causer);
    dbus_message_unref(message);
    return (double)(meeting->delivered - start) / 1e3;
}

static void measure_calls(DBusConnection *bus, bool counts) {
    double called = call(bus), reserved = reserve(bus);
    if (!counts) return;
    sample("activate", "a D-Bus call of another process", "us", called);
    sample("activate", "ReserveDevice1 acquire", "us", reserved);
}

static void measure_signal(DBusConnection *bus, bool counts) {
    meeting_rest();
    double delivered = signalled(bus);
    if (counts) sample("interrupt", "a D-Bus signal, two hops", "us", delivered);
}

int main(int argc, char **argv) {
    int count = count_from(argc, argv, 1, 1000);
    bool signals = argc > 2 && strcmp(argv[2], "signal") == 0;
    meeting = meeting_make();
    if (meeting_fork() == 0) serve();
    meeting_wait(meeting->to_causer);
    DBusConnection *bus = connected();
    for (int i = 0; i < WARM_UP + count; i++) (signals ? measure_signal : measure_calls)(bus, i >= WARM_UP);
}
