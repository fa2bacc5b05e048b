/* SPDX-License-Identifier: Apache-2.0 */
/* The CoreFoundation layouts that the library passes by address. Nothing is included: the functions of
   CoreFoundation are found in the process at run time. */
#ifndef CCOREFOUNDATION_H
#define CCOREFOUNDATION_H

/* CFRunLoopSourceContext, version 0. */
struct run_loop_source_context {
    long version;
    void *info;
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    const void *(*copy_description)(const void *info);
    unsigned char (*equal)(const void *left, const void *right);
    unsigned long (*hash)(const void *info);
    void (*schedule)(void *info, const void *run_loop, const void *mode);
    void (*cancel)(void *info, const void *run_loop, const void *mode);
    void (*perform)(void *info);
};

enum {
    CF_NUMBER_SINT32 = 3,       /* kCFNumberSInt32Type */
    CF_STRING_UTF8 = 0x08000100 /* kCFStringEncodingUTF8 */
};

#endif
