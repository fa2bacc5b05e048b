/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the events of a session on standard output, and runs the commands of standard input:
     get ID | set ID VALUE | active 0|1 | devices | held | took | exit
   An ID is the four characters of a property. Answers begin with "=", errors with "!". */
#define _GNU_SOURCE
#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/AudioSessionLinux.h>

#include <dirent.h>
#include <malloc.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static UInt32 code(const char *text) {
    UInt32 value = 0;
    for (int i = 0; i < 4; i++) value = value << 8 | (UInt32)(unsigned char)text[i];
    return value;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void device(Boolean input, char *name, UInt32 size) {
    if (AudioSessionLinuxCopyDeviceName(input, name, &size) != 0) strcpy(name, "-");
}

static void types(CFDictionaryRef route, CFStringRef key, char *text, size_t size) {
    CFArrayRef ports = CFDictionaryGetValue(route, key);
    text[0] = '\0';
    for (CFIndex i = 0; i < CFArrayGetCount(ports); i++) {
        char type[64];
        CFStringRef value = CFDictionaryGetValue(CFArrayGetValueAtIndex(ports, i), kAudioSession_AudioRouteKey_Type);
        CFStringGetCString(value, type, sizeof type, kCFStringEncodingUTF8);
        snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? "+" : "", type);
    }
    if (!text[0]) strcpy(text, "-");
}

static void describe(CFDictionaryRef route, const char *label) {
    char in[256], out[256];
    types(route, kAudioSession_AudioRouteKey_Inputs, in, sizeof in);
    types(route, kAudioSession_AudioRouteKey_Outputs, out, sizeof out);
    printf(" %s=%s/%s", label, in, out);
}

static void on_route(void *context, AudioSessionPropertyID id, UInt32 size, const void *data) {
    (void)context, (void)id, (void)size;
    int reason = -1;
    char in[128], out[128];
    CFDictionaryRef change = data;
    CFNumberGetValue(CFDictionaryGetValue(change, kAudioSession_RouteChangeKey_Reason), kCFNumberIntType, &reason);
    printf("route reason=%d", reason);
    describe(CFDictionaryGetValue(change, kAudioSession_AudioRouteChangeKey_PreviousRouteDescription), "from");
    describe(CFDictionaryGetValue(change, kAudioSession_AudioRouteChangeKey_CurrentRouteDescription), "to");
    device(1, in, sizeof in);
    device(0, out, sizeof out);
    printf(" devices=%s/%s at=%.6f\n", in, out, now());
}

static void on_number(void *context, AudioSessionPropertyID id, UInt32 size, const void *data) {
    (void)size;
    if (id == code("chov") || id == code("igsc"))
        printf("%s %.4f\n", (char *)context, (double)*(const Float32 *)data);
    else
        printf("%s %u\n", (char *)context, *(const UInt32 *)data);
}

static void on_interruption(void *context, UInt32 state) {
    (void)context;
    printf("interruption %u\n", state);
}

static void get(const char *name) {
    AudioSessionPropertyID id = code(name);
    union {
        Float64 rate;
        Float32 level;
        UInt32 number;
        CFTypeRef object;
    } value;
    UInt32 size = sizeof value;
    OSStatus status = AudioSessionGetProperty(id, &size, &value);
    if (status != 0) {
        printf("! %s %s\n", name, AudioSessionLinuxStatusName(status));
    } else if (id == code("rout")) {
        char text[64];
        CFStringGetCString(value.object, text, sizeof text, kCFStringEncodingUTF8);
        printf("= %s %s\n", name, text);
    } else if (id == code("crar")) {
        printf("= %s", name);
        describe(value.object, "route");
        printf("\n");
        CFRelease(value.object);
    } else if (id == code("srcs") || id == code("dsts")) {
        printf("= %s %ld\n", name, (long)CFArrayGetCount(value.object));
        CFRelease(value.object);
    } else if (id == code("isrc") || id == code("odst")) {
        int number = -1;
        CFNumberGetValue(value.object, kCFNumberIntType, &number);
        printf("= %s %d\n", name, number);
        CFRelease(value.object);
    } else if (size == sizeof value.rate) {
        printf("= %s %.0f\n", name, value.rate);
    } else if (id == code("chov") || id == code("igsc") || id == code("chbd") || id == code("cilt") || id == code("colt")) {
        printf("= %s %.4f\n", name, (double)value.level);
    } else {
        printf("= %s %u\n", name, value.number);
    }
}

static void set(const char *name, const char *text) {
    AudioSessionPropertyID id = code(name);
    OSStatus status;
    if (id == code("hwsr")) {
        Float64 rate = atof(text);
        status = AudioSessionSetProperty(id, sizeof rate, &rate);
    } else if (id == code("iobd") || id == code("igsc")) {
        Float32 level = (Float32)atof(text);
        status = AudioSessionSetProperty(id, sizeof level, &level);
    } else if (id == code("isrc") || id == code("odst")) {
        int number = atoi(text);
        CFNumberRef value = CFNumberCreate(NULL, kCFNumberIntType, &number);
        status = AudioSessionSetProperty(id, sizeof value, &value);
        CFRelease(value);
    } else {
        UInt32 number = strlen(text) == 4 ? code(text) : (UInt32)atoi(text);
        status = AudioSessionSetProperty(id, sizeof number, &number);
    }
    printf(status == 0 ? "= %s\n" : "! %s %s\n", name, AudioSessionLinuxStatusName(status));
}

static int count(const char *folder) {
    int entries = 0;
    DIR *open = opendir(folder);
    while (open && readdir(open)) entries++;
    if (open) closedir(open);
    return entries;
}

static double took;

static int execute(char *line) {
    char *words[3] = {strtok(line, " \n"), strtok(NULL, " \n"), strtok(NULL, " \n")};
    if (!words[0]) return 1;
    if (strcmp(words[0], "get") == 0 && words[1])
        get(words[1]);
    else if (strcmp(words[0], "set") == 0 && words[2])
        set(words[1], words[2]);
    else if (strcmp(words[0], "active") == 0 && words[1])
        printf("= active %s\n", AudioSessionLinuxStatusName(AudioSessionSetActive((Boolean)atoi(words[1]))));
    else if (strcmp(words[0], "devices") == 0) {
        char in[128], out[128];
        device(1, in, sizeof in);
        device(0, out, sizeof out);
        printf("= devices %s/%s\n", in, out);
    } else if (strcmp(words[0], "held") == 0)
        printf("= held descriptors=%d threads=%d bytes=%zu\n", count("/proc/self/fd"), count("/proc/self/task"),
            mallinfo2().uordblks);
    else if (strcmp(words[0], "took") == 0)
        printf("= took %.1f\n", took);
    else
        return 0;
    return 1;
}

int main(void) {
    static char numbers[][5] = {"chov", "chic", "choc", "aiav", "died", "igav", "igsc"};
    setlinebuf(stdout);
    double begin = now();
    OSStatus status = AudioSessionInitialize(NULL, NULL, on_interruption, NULL);
    took = (now() - begin) * 1e3;
    int events = AudioSessionLinuxEventDescriptor();
    if (status != 0 || events < 0) {
        printf("! %s\n", AudioSessionLinuxStatusName(status));
        return 1;
    }
    AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, on_route, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        AudioSessionAddPropertyListener(code(numbers[i]), on_number, numbers[i]);
    printf("= ready\n");
    struct pollfd wait[2] = {{.fd = 0, .events = POLLIN}, {.fd = events, .events = POLLIN}};
    char line[256];
    setvbuf(stdin, NULL, _IONBF, 0);
    for (;;) {
        if (poll(wait, 2, -1) < 0) return 1;
        if (wait[1].revents) AudioSessionLinuxDispatchEvents();
        if (wait[0].revents && (!fgets(line, sizeof line, stdin) || !execute(line))) return 0;
    }
}
