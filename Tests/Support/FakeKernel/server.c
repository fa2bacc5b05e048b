/* SPDX-License-Identifier: Apache-2.0 */
/* A sound server and its control plug-in, in the process of the test. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>

#define connect fake_connect
#include "../../Machine/ctl_pulse.c"
#undef connect

#include "FakeKernel.h"

enum { MOST_CONNECTIONS = 64 };
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int connections[MOST_CONNECTIONS], connection_count;
static unsigned char levels[2];
static bool is_listening;

/* The connection of the plug-in is one end of a socket pair. */
int fake_connect(int fd, const struct sockaddr *address, socklen_t length) {
    (void)address, (void)length;
    int ends[2], result = -1;
    pthread_mutex_lock(&guard);
    if (is_listening && connection_count < MOST_CONNECTIONS && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0) {
        result = dup3(ends[0], fd, SOCK_CLOEXEC) < 0 ? -1 : 0;
        close(ends[0]);
        connections[connection_count++] = ends[1];
        send(ends[1], levels, 2, MSG_NOSIGNAL);
    }
    pthread_mutex_unlock(&guard);
    return result;
}

void fake_server(bool listens) {
    fake_server_dies();
    pthread_mutex_lock(&guard);
    is_listening = listens;
    pthread_mutex_unlock(&guard);
}

void fake_server_levels(uint8_t output, uint8_t input) {
    pthread_mutex_lock(&guard);
    levels[0] = output, levels[1] = input;
    for (int i = 0; i < connection_count; i++) send(connections[i], levels, 2, MSG_NOSIGNAL | MSG_DONTWAIT);
    pthread_mutex_unlock(&guard);
}

uint8_t fake_server_input(void) {
    pthread_mutex_lock(&guard);
    for (int i = 0; i < connection_count; i++) {
        unsigned char new[2];
        while (recv(connections[i], new, 2, MSG_DONTWAIT) == 2) levels[1] = new[1];
    }
    uint8_t input = levels[1];
    pthread_mutex_unlock(&guard);
    return input;
}

void fake_server_dies(void) {
    pthread_mutex_lock(&guard);
    is_listening = false;
    while (connection_count) close(connections[--connection_count]);
    pthread_mutex_unlock(&guard);
}

/* The library opens the control device of a server by this name. All other names go to libasound. */
int snd_ctl_open_lconf(snd_ctl_t **out, const char *name, int mode, snd_config_t *configuration) {
    if (strcmp(name, "server") == 0) return _snd_ctl_pulse_open(out, name, NULL, NULL, mode);
    return ((__typeof__(&snd_ctl_open_lconf))dlsym(RTLD_NEXT, "snd_ctl_open_lconf"))(out, name, mode, configuration);
}
