/* SPDX-License-Identifier: Apache-2.0 */
/* monitor COLUMNS ROWS COMMAND...: runs a program on a terminal of its own and prints the screen. After each write of
   the program it prints the changed rows; after a stop or an exit it prints the state of the terminal.
   Commands on standard input: "keys TEXT" (^C is Control-C), "size COLUMNS ROWS", "signal NUMBER". */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { MOST_ROWS = 100, MOST_COLUMNS = 300, LONGEST = 4 * MOST_COLUMNS };

static struct screen {
    char cells[MOST_ROWS][MOST_COLUMNS][5]; /* one character each, in UTF-8 */
    int row, column;
} screens[2];
static struct screen *screen = screens; /* the second one is the alternate screen */
static int columns, rows;
static bool is_cursor_hidden, is_wrap_off, is_coloured, is_all_read;
/* The terminal has wrapped the lines of a wider screen: parts of them stay until the screen is erased. */
static bool has_remains;
static char shown[MOST_ROWS][LONGEST];

static void clear(int row, int from) {
    for (int column = from; column < columns; column++) strcpy(screen->cells[row][column], " ");
}

static void switch_modes(const char *modes, bool on) {
    if (!strcmp(modes, "?25")) is_cursor_hidden = !on;
    if (!strcmp(modes, "?7")) is_wrap_off = !on;
    if (strcmp(modes, "?1049")) return;
    screen = &screens[on];
    if (on)
        for (int row = 0; row < rows; row++) clear(row, 0);
}

static void execute(char command, char *numbers) {
    int first = 1, second = 1;
    sscanf(numbers, "%d;%d", &first, &second);
    switch (command) {
    case 'H':
        screen->row = first > rows ? rows - 1 : first - 1;
        screen->column = second > columns ? columns - 1 : second - 1;
        break;
    case 'G': screen->column = first > columns ? columns - 1 : first - 1; break;
    case 'K': clear(screen->row, screen->column); break;
    case 'J':
        if (first == 2) {
            for (int row = 0; row < rows; row++) clear(row, 0);
            has_remains = false;
            break;
        }
        clear(screen->row, screen->column);
        for (int row = screen->row + 1; row < rows; row++) clear(row, 0);
        break;
    case 'm': is_coloured = true; break;
    case 'h':
    case 'l': switch_modes(numbers, command == 'h'); break;
    default: printf("unknown command %s%c\n", numbers, command);
    }
}

static void scroll(void) {
    if (++screen->row < rows) return;
    screen->row = rows - 1;
    memmove(screen->cells[0], screen->cells[1], sizeof screen->cells[0] * (size_t)(rows - 1));
    clear(rows - 1, 0);
}

static void put(unsigned char byte) {
    static int more; /* the missing bytes of a character */
    if (byte == '\n') scroll();
    if (byte == '\r') screen->column = 0;
    if (byte == '\0') is_all_read = true;
    if (byte < ' ') return;
    if (byte >= 0xc0) more = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    char *cell = screen->cells[screen->row][screen->column];
    if (byte < 0x80 || byte >= 0xc0) *cell = '\0';
    size_t length = strlen(cell);
    if (length < 4) cell[length] = (char)byte, cell[length + 1] = '\0';
    if (byte >= 0x80 && byte < 0xc0) more--;
    if (byte < 0x80 || more == 0)
        if (screen->column < columns - 1) screen->column++;
}

static void parse(unsigned char byte) {
    static char numbers[32];
    static int at = -2; /* -2: no control sequence, -1: after ESC */
    if (at == -2) {
        if (byte == 033)
            at = -1;
        else
            put(byte);
    } else if (at == -1) {
        at = byte == '[' ? 0 : -2;
    } else if (byte >= 0x40) {
        numbers[at] = '\0';
        at = -2;
        execute((char)byte, numbers);
    } else if (at < (int)sizeof numbers - 1) {
        numbers[at++] = (char)byte;
    }
}

/* Prints the rows that have changed. */
static void print_changes(void) {
    for (int row = 0; row < rows; row++) {
        char line[LONGEST] = "";
        size_t length = 0;
        for (int column = 0; column < columns; column++)
            length = (size_t)(stpcpy(line + length, screen->cells[row][column]) - line);
        while (length > 0 && line[length - 1] == ' ') line[--length] = '\0';
        if (strcmp(line, shown[row]) && length) printf("%2d %s%s\n", row + 1, line, has_remains ? " REMAINS" : "");
        strcpy(shown[row], line);
    }
    fflush(stdout);
}

static void set_size(int terminal, int new_columns, int new_rows) {
    if (new_columns < 1 || new_columns > MOST_COLUMNS || new_rows < 1 || new_rows > MOST_ROWS) exit(2);
    has_remains = new_columns < columns;
    columns = new_columns, rows = new_rows;
    struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    memset(shown, 0, sizeof shown);
    for (int other = 0; other < 2; other++) {
        struct screen *current = screen;
        screen = &screens[other];
        for (int row = 0; row < rows; row++) clear(row, 0);
        screen->row = screen->column = 0;
        screen = current;
    }
    ioctl(terminal, TIOCSWINSZ, &size);
}

static void handle_orders(int terminal, pid_t program) {
    char line[256];
    ssize_t length = read(0, line, sizeof line - 1);
    if (length <= 0) exit(0);
    line[length] = '\0';
    for (char *next = line, *word; (word = strsep(&next, "\n")) && next;) {
        int first, second;
        char key = word[5] == '^' ? word[6] & 037 : word[5];
        if (sscanf(word, "size %d %d", &first, &second) == 2)
            set_size(terminal, first, second);
        else if (sscanf(word, "signal %d", &first) == 1)
            kill(program, first);
        else if (strncmp(word, "keys ", 5) || write(terminal, &key, 1) != 1)
            exit(2);
    }
}

static void read_output(int terminal) {
    unsigned char bytes[4096];
    ssize_t length = read(terminal, bytes, sizeof bytes);
    for (ssize_t i = 0; i < length; i++) parse(bytes[i]);
    print_changes();
}

/* True when the program has exited. */
static bool check_program(int terminal, int inside, pid_t program, const struct termios *before) {
    siginfo_t info = {0};
    while (waitid(P_PID, (id_t)program, &info, WEXITED | WSTOPPED | WNOHANG) == 0 && info.si_pid) {
        /* A zero byte follows the output that is still in the terminal. */
        is_all_read = write(inside, "", 1) != 1;
        while (!is_all_read) read_output(terminal);
        struct termios now = {0};
        tcgetattr(inside, &now);
        bool is_same = !memcmp(&now, before, sizeof now);
        bool is_left = screen == screens && !is_cursor_hidden && !is_wrap_off;
        printf("%s %d: the terminal is %s, in %s\n", info.si_code == CLD_STOPPED ? "stopped" : "ended", info.si_status,
            is_same && is_left ? "as it was" : "not as it was", is_coloured ? "colours" : "one colour");
        fflush(stdout);
        if (info.si_code != CLD_STOPPED) return true;
        info.si_pid = 0;
    }
    return false;
}

int main(int count, char **arguments) {
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (count < 4 || terminal < 0 || grantpt(terminal) < 0 || unlockpt(terminal) < 0) return 2;
    /* Stays open, so that its modes can be read after the exit. */
    int inside = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
    set_size(terminal, atoi(arguments[1]), atoi(arguments[2]));
    struct termios before = {0};
    tcgetattr(inside, &before);
    sigset_t child, none;
    sigemptyset(&none);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    pid_t program = fork();
    if (program == 0) {
        sigprocmask(SIG_SETMASK, &none, NULL);
        setsid();
        ioctl(inside, TIOCSCTTY, 0);
        for (int fd = 0; fd < 3; fd++) dup2(inside, fd);
        execvp(arguments[3], arguments + 3);
        _exit(127);
    }
    enum { PROGRAM, SCREEN, ORDERS };
    struct pollfd events[] = {{.fd = signalfd(-1, &child, SFD_CLOEXEC), .events = POLLIN}, {.fd = terminal, .events = POLLIN},
        {.fd = 0, .events = POLLIN}};
    while (poll(events, 3, -1) > 0 || errno == EINTR) {
        struct signalfd_siginfo unused;
        if (events[SCREEN].revents) read_output(terminal);
        if (events[PROGRAM].revents && read(events[PROGRAM].fd, &unused, sizeof unused) > 0 &&
            check_program(terminal, inside, program, &before))
            return 0;
        if (events[ORDERS].revents) handle_orders(terminal, program);
    }
    return 2;
}
