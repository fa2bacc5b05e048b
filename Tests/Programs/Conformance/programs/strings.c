/* SPDX-License-Identifier: Apache-2.0 */
/* CFSTR of literals in UTF-8, in functions and at file scope. CFSTR_AT_FILE_SCOPE says that the way in
   which this file is compiled allows CFSTR itself there. */
#include "corefoundation.h"
#include <CoreFoundation/CFString.h>

#if (defined(__cplusplus) && __cplusplus >= 201103L) || defined(AUDIOSESSION_CFSTR_BUILTIN)
#define CFSTR_AT_FILE_SCOPE
static const CFStringRef plain_key = CFSTR("Key");
static const CFStringRef accented_key = CFSTR("h\303\251");
static const CFStringRef keys[] = {CFSTR("one"), CFSTR("z\342\202\254ro")};
#endif

AUDIOSESSION_CFSTR(static const CFStringRef, constant_key, "Constant");
AUDIOSESSION_CFSTR(static CFStringRef, constant_accented_key, "caf\303\251 \360\237\230\200");

/* Both strings have the same characters, the same hash, and one finds the other's value in a dictionary. */
static void expect_same(int line, CFStringRef constant, const char *utf8, CFIndex length) {
    CFStringRef created = CFStringCreateWithCString(NULL, utf8, kCFStringEncodingUTF8);
    char text[TEXT];
    REQUIRE(constant != NULL && created != NULL);
    expect_text(__FILE__, line, "the text", text_of(constant, text), utf8);
    expect_integer(__FILE__, line, "the length", CFStringGetLength(constant), length);
    expect_true(__FILE__, line, "CFEqual(constant, created)", CFEqual(constant, created));
    expect_true(__FILE__, line, "CFHash(constant) == CFHash(created)", CFHash(constant) == CFHash(created));
    CFMutableDictionaryRef dictionary =
        CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    CFDictionarySetValue(dictionary, created, created);
    expect_true(__FILE__, line, "the dictionary's value", CFDictionaryGetValue(dictionary, constant) == created);
    CFRelease(dictionary);
    CFRelease(created);
}

#define EXPECT_SAME(constant, utf8, length) expect_same(__LINE__, constant, utf8, length)

TEST(ascii, "CFSTR of ASCII has the literal's characters") {
    EXPECT_SAME(CFSTR("Key"), "Key", 3);
    EXPECT_SAME(CFSTR(""), "", 0);
    EXPECT_SAME(CFSTR("two"
                      " "
                      "parts"),
        "two parts", 9);
    EXPECT_SAME(CFSTR(kAudioSession_AudioRouteChangeKey_Reason), "OutputDeviceDidChange_Reason", 28);
    EXPECT_TEXT(CFStringGetCStringPtr(CFSTR("Key"), kCFStringEncodingASCII), "Key");
    EXPECT_INTEGER(CFStringGetLength(CFSTR("a\0b")), 3);
}

TEST(utf8, "CFSTR of UTF-8 has the literal's characters, written as such or as escapes") {
    EXPECT_SAME(CFSTR("hé"), "h\303\251", 2);
    EXPECT_SAME(CFSTR("h\303\251"), "h\303\251", 2);
    EXPECT_SAME(CFSTR("h\xC3\xA9"), "h\303\251", 2);
    EXPECT_SAME(CFSTR("\302\200\337\277"), "\302\200\337\277", 2);
    EXPECT_SAME(CFSTR("\340\240\200\355\237\277\356\200\200\357\277\277"), "\340\240\200\355\237\277\356\200\200\357\277\277", 4);
    EXPECT_SAME(CFSTR("\360\220\200\200\364\217\277\277"), "\360\220\200\200\364\217\277\277", 4);
    EXPECT_SAME(CFSTR("a€😀b"), "a\342\202\254\360\237\230\200b", 5);
}

#ifndef AUDIOSESSION_CFSTR_BUILTIN
/* clang's builtin cuts such a literal with a warning. */
TEST(not_utf8, "each byte that is not UTF-8 is U+FFFD") {
#define R "\357\277\275"
    EXPECT_SAME(CFSTR("a\377b"), "a" R "b", 3);
    EXPECT_SAME(CFSTR("a\303"), "a" R, 2);
    EXPECT_SAME(CFSTR("\303b"), R "b", 2);
    EXPECT_SAME(CFSTR("\342\202"), R R, 2);
    EXPECT_SAME(CFSTR("\342\202z"), R R "z", 3);
    EXPECT_SAME(CFSTR("\300\200"), R R, 2);
    EXPECT_SAME(CFSTR("\301\277"), R R, 2);
    EXPECT_SAME(CFSTR("\340\237\277"), R R R, 3);
    EXPECT_SAME(CFSTR("\355\240\200"), R R R, 3);
    EXPECT_SAME(CFSTR("\355\277\277"), R R R, 3);
    EXPECT_SAME(CFSTR("\360\217\277\277"), R R R R, 4);
    EXPECT_SAME(CFSTR("\364\220\200\200"), R R R R, 4);
    EXPECT_SAME(CFSTR("\365\200\200\200"), R R R R, 4);
    EXPECT_SAME(CFSTR("\200"), R, 1);
}
#endif

#if !(defined(__clang__) && defined(AUDIOSESSION_CFSTR_BUILTIN) && !defined(__cplusplus))
TEST(released, "a release too many does not end a CFSTR") {
    for (int i = 0; i < 3; i++) {
        CFStringRef plain = CFSTR("plain"), accented = CFSTR("acc\303\251nted");
        CFRelease(plain);
        CFRelease(accented);
        EXPECT_SAME(plain, "plain", 5);
        EXPECT_SAME(accented, "acc\303\251nted", 8);
    }
    CFRelease(constant_accented_key);
    CFRelease(constant_accented_key);
    EXPECT_SAME(constant_accented_key, "caf\303\251 \360\237\230\200", 7);
}
#endif

TEST(at_file_scope, "AUDIOSESSION_CFSTR defines a constant at file scope") {
    EXPECT_SAME(constant_key, "Constant", 8);
    EXPECT_SAME(constant_accented_key, "caf\303\251 \360\237\230\200", 7);
#ifdef CFSTR_AT_FILE_SCOPE
    EXPECT_SAME(plain_key, "Key", 3);
    EXPECT_SAME(accented_key, "h\303\251", 2);
    EXPECT_SAME(keys[0], "one", 3);
    EXPECT_SAME(keys[1], "z\342\202\254ro", 4);
#endif
}

static CFStringRef accented_string(void) { return CFSTR("thr\303\251ads"); }

TEST(same_string, "one CFSTR is one string each time it is evaluated") { EXPECT(accented_string() == accented_string()); }

enum { THREADS = 8 };
static pthread_barrier_t barrier;

static void *evaluate(void *result) {
    pthread_barrier_wait(&barrier);
    *(CFStringRef *)result = accented_string();
    return NULL;
}

TEST(threads, "threads that evaluate one CFSTR for the first time at once get the same string") {
    pthread_t threads[THREADS];
    CFStringRef results[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, evaluate, &results[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) EXPECT(results[i] == results[0]);
    EXPECT_SAME(results[0], "thr\303\251ads", 7);
}

TEST(target, "a program that includes CFString.h first has the platform's Boolean and target") {
    Boolean two = 2;
    EXPECT_INTEGER(two, 2);
    EXPECT_INTEGER(TARGET_OS_IPHONE, 1);
}
