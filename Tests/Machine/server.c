/* SPDX-License-Identifier: Apache-2.0 */
/* server SOCKET: a sound server of the tests. It sends its two levels, from 0 to 100, to each client as two bytes
   (output, input), and accepts new levels in the same form. "volume N" on standard input changes the level of the
   output. A signal ends it and leaves its socket in the file system, as with a real server. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST = 16 };
static struct pollfd clients[MOST + 2];
static int count = 2;
static unsigned char levels[2] = {50, 60};

static void send_all(void) {
    for (int i = 2; i < count; i++) send(clients[i].fd, levels, 2, MSG_NOSIGNAL);
}

int main(int words, char **word) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (words < 2) return 64;
    snprintf(address.sun_path, sizeof address.sun_path, "%s", word[1]);
    unlink(word[1]);
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0) return 1;
    usleep(30000); /* a real server does not listen at once either */
    if (listen(listener, 8) < 0) return 1;
    setvbuf(stdin, NULL, _IONBF, 0);
    clients[0] = (struct pollfd){.fd = listener, .events = POLLIN};
    clients[1] = (struct pollfd){.fd = 0, .events = POLLIN};
    for (;;) {
        if (poll(clients, (nfds_t)count, -1) < 0) return 1;
        char line[64];
        if (clients[1].revents) {
            if (!fgets(line, sizeof line, stdin))
                clients[1].fd = -1;
            else if (strncmp(line, "volume ", 7) == 0) {
                levels[0] = (unsigned char)atoi(line + 7);
                send_all();
            }
        }
        for (int i = 2; i < count; i++) {
            if (!clients[i].revents) continue;
            if (recv(clients[i].fd, levels, 2, 0) == 2) {
                send_all();
            } else {
                close(clients[i].fd);
                clients[i] = clients[--count];
                break;
            }
        }
        if (clients[0].revents && count < MOST) {
            int client = accept(listener, NULL, NULL);
            if (client < 0) continue;
            clients[count++] = (struct pollfd){.fd = client, .events = POLLIN};
            send(client, levels, 2, MSG_NOSIGNAL);
        }
    }
}
