/* SPDX-License-Identifier: Apache-2.0 */
/* The toolchain's CFString.h, with a CFSTR for every compiler. */
#ifndef AUDIOSESSION_COREFOUNDATION_H
#include <CoreFoundation/CoreFoundation.h>
#elif defined(AUDIOSESSION_HAS_COREFOUNDATION)
#pragma GCC system_header
#include_next <CoreFoundation/CFString.h>

#if defined(__GNUC__) && !defined(AUDIOSESSION_CFSTRING_H)
#define AUDIOSESSION_CFSTRING_H

#include <stdlib.h>

/* The info field of a constant string: its type, and whether its characters are ASCII or UTF-16. */
#if __BIG_ENDIAN__
#define AUDIOSESSION_CFSTRING_ASCII_ 0x00000000C8070000
#define AUDIOSESSION_CFSTRING_UTF16_ 0x00000000D0070000
#else
#define AUDIOSESSION_CFSTRING_ASCII_ 0x07C8
#define AUDIOSESSION_CFSTRING_UTF16_ 0x07D0
#endif

/* Compiles only for a literal, because the size of a pointer is not the length of its string. */
#define AUDIOSESSION_CFSTRING_(literal) \
    { \
        {(uintptr_t)&_CF_CONSTANT_STRING_SWIFT_CLASS, _CF_CONSTANT_OBJECT_STRONG_RC, AUDIOSESSION_CFSTRING_ASCII_}, \
            (uint8_t *)(uintptr_t)("" literal ""), sizeof("" literal "") - 1 \
    }

#ifdef __cplusplus
extern "C" {
#endif

/* Decodes the character at *at and advances *at. A byte that is not UTF-8 becomes U+FFFD. */
static __inline__ __attribute__((__unused__)) uint32_t audiosession_utf8_character_(
    const uint8_t *bytes, uint32_t size, uint32_t *at) {
    uint32_t first = bytes[(*at)++];
    uint32_t count = first < 0x80 ? 0 : first < 0xC2 ? 4 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF5 ? 3 : 4;
    uint32_t value = count == 1 ? first & 0x1F : count == 2 ? first & 0x0F : first & 0x07;
    uint32_t i;
    if (count == 0) return first;
    if (count == 4 || size - *at < count) return 0xFFFD;
    for (i = 0; i < count; i++) {
        if ((bytes[*at + i] & 0xC0) != 0x80) return 0xFFFD;
        value = value << 6 | (bytes[*at + i] & 0x3F);
    }
    if ((count == 2 && (value < 0x800 || (value >= 0xD800 && value < 0xE000))) ||
        (count == 3 && (value < 0x10000 || value > 0x10FFFF)))
        return 0xFFFD;
    *at += count;
    return value;
}

static __inline__ __attribute__((__unused__)) int audiosession_is_ascii_(const struct __CFConstStr *string) {
    uint32_t size = (uint32_t)string->_length, at = 0;
    while (at < size && string->_ptr[at] < 0x80) at++;
    return at == size;
}

/* Replaces the UTF-8 that the string points to with UTF-16, which is never freed. Returns 0 when no memory
   is left. */
static __inline__ __attribute__((__unused__)) int audiosession_decode_utf8_(struct __CFConstStr *string) {
    uint32_t size = (uint32_t)string->_length, at = 0, count = 0;
    uint16_t *units = (uint16_t *)malloc(size * sizeof *units);
    if (!units) return 0;
    while (at < size) {
        uint32_t character = audiosession_utf8_character_(string->_ptr, size, &at);
        if (character >= 0x10000) {
            units[count++] = (uint16_t)(0xD7C0 + (character >> 10));
            character = 0xDC00 | (character & 0x3FF);
        }
        units[count++] = (uint16_t)character;
    }
    string->_ptr = (uint8_t *)units;
    string->_length = count;
    string->_base._cfinfoa = AUDIOSESSION_CFSTRING_UTF16_;
    return 1;
}

/* The string of one CFSTR expression: the literal itself if it is ASCII, else a decoded copy. Threads
   that evaluate the expression for the first time at the same time get the same copy. */
static __inline__ __attribute__((__unused__)) CFStringRef audiosession_cfstring_(
    struct __CFConstStr *literal, struct __CFConstStr **cache) {
    struct __CFConstStr *cached = __atomic_load_n(cache, __ATOMIC_ACQUIRE), *copy = literal;
    if (cached) return (CFStringRef)(void *)cached;
    if (!audiosession_is_ascii_(literal)) {
        copy = (struct __CFConstStr *)malloc(sizeof *copy);
        if (!copy) return NULL;
        *copy = *literal;
        if (!audiosession_decode_utf8_(copy)) {
            free(copy);
            return NULL;
        }
    }
    if (__atomic_compare_exchange_n(cache, &cached, copy, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return (CFStringRef)(void *)copy;
    if (copy != literal) {
        free(copy->_ptr);
        free(copy);
    }
    return (CFStringRef)(void *)cached;
}

#ifdef __cplusplus
}
#endif

#define AUDIOSESSION_CFSTR_BODY_(literal) \
    static struct __CFConstStr audiosession_literal_ = AUDIOSESSION_CFSTRING_(literal); \
    static struct __CFConstStr *audiosession_cache_;

/* A constant string of a literal in UTF-8. From C++11 on it is an expression that is allowed anywhere;
   in C and C++98 it is allowed only inside a function. With -DAUDIOSESSION_CFSTR_BUILTIN
   -fcf-runtime-abi=swift clang's own constant is allowed at file scope in C; CFRelease must not be called
   for such a string more often than CFRetain. */
#undef CFSTR
#if defined(__cplusplus) && __cplusplus >= 201103L
#define CFSTR(literal) \
    ([]() -> CFStringRef { \
        AUDIOSESSION_CFSTR_BODY_(literal) \
        return audiosession_cfstring_(&audiosession_literal_, &audiosession_cache_); \
    }())
#elif defined(__clang__) && defined(AUDIOSESSION_CFSTR_BUILTIN)
#define CFSTR(literal) ((CFStringRef)__builtin___CFStringMakeConstantString("" literal ""))
#else
#define CFSTR(literal) \
    (__extension__({ \
        AUDIOSESSION_CFSTR_BODY_(literal) \
        audiosession_cfstring_(&audiosession_literal_, &audiosession_cache_); \
    }))
#endif

/* A constant at file scope in every language: AUDIOSESSION_CFSTR(static const CFStringRef, kKey, "Key");
   stands for static const CFStringRef kKey = CFSTR("Key"); */
#define AUDIOSESSION_CFSTR(type, name, literal) \
    static struct __CFConstStr name##_literal_ = AUDIOSESSION_CFSTRING_(literal); \
    __attribute__((__constructor__(101))) static void name##_decode_(void) { \
        if (!audiosession_is_ascii_(&name##_literal_)) audiosession_decode_utf8_(&name##_literal_); \
    } \
    type name = (CFStringRef)(void *)&name##_literal_

#endif
#endif
