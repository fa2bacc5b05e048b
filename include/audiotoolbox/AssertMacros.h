/* SPDX-License-Identifier: Apache-2.0 */
/* Macros that check results. __Check reports a failure. __Verify evaluates its argument in every build and reports a failure.
   __Require jumps to a label. The parts of the names: noErr: a result that is not 0 is a failure; Action: a statement before
   the jump; Quiet: no report; String: a text for the report; n: the opposite condition. Failures are reported by
   DEBUG_ASSERT_MESSAGE if DEBUG is not 0 or DEBUG_ASSERT_PRODUCTION_CODE is 0. The older names, such as require_noerr, are
   defined unless __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES is 0. Macros of the program are not redefined. */
#ifndef __ASSERTMACROS__
#define __ASSERTMACROS__

#ifdef DEBUG_ASSERT_CONFIG_INCLUDE
#include DEBUG_ASSERT_CONFIG_INCLUDE
#endif

#ifndef DEBUG_ASSERT_COMPONENT_NAME_STRING
#define DEBUG_ASSERT_COMPONENT_NAME_STRING ""
#endif

#ifndef DEBUG_ASSERT_PRODUCTION_CODE
#if defined(DEBUG) && DEBUG - 0
#define DEBUG_ASSERT_PRODUCTION_CODE 0
#else
#define DEBUG_ASSERT_PRODUCTION_CODE 1
#endif
#endif

/* name is the name of the component; condition, label and message are strings or 0; value is the result, or 0. */
#ifndef DEBUG_ASSERT_MESSAGE
#include <stdio.h>
#define DEBUG_ASSERT_MESSAGE(name, condition, label, message, file, line, value) \
    audiotoolbox_report_failure_(name, condition, label, message, file, line, (long)(value))
static __inline__ void audiotoolbox_report_failure_(
    const char *name, const char *condition, const char *label, const char *message, const char *file, int line, long value) {
    fprintf(stderr, "%s%s%s failed: %s%s%s%s%s:%d, value %ld\n", name, *name ? ": " : "", *condition ? condition : "debug",
        message ? message : "", message ? ", " : "", label ? label : "", label ? ", " : "", file, line, value);
}
#endif

#if DEBUG_ASSERT_PRODUCTION_CODE
#define AUDIOTOOLBOX_REPORT_(condition, label, message, value) ((void)0)
#else
#define AUDIOTOOLBOX_REPORT_(condition, label, message, value) \
    DEBUG_ASSERT_MESSAGE(DEBUG_ASSERT_COMPONENT_NAME_STRING, condition, label, message, __FILE__, __LINE__, value)
#endif

#if DEBUG_ASSERT_PRODUCTION_CODE
#ifndef __Debug_String
#define __Debug_String(message) \
    do { \
    } while (0)
#endif
#ifndef __Check
#define __Check(assertion) \
    do { \
    } while (0)
#endif
#ifndef __Check_String
#define __Check_String(assertion, message) \
    do { \
    } while (0)
#endif
#ifndef __Check_noErr
#define __Check_noErr(errorCode) \
    do { \
    } while (0)
#endif
#ifndef __Check_noErr_String
#define __Check_noErr_String(errorCode, message) \
    do { \
    } while (0)
#endif
#else
#ifndef __Debug_String
#define __Debug_String(message) \
    do { \
        AUDIOTOOLBOX_REPORT_("", 0, message, 0); \
    } while (0)
#endif
#ifndef __Check
#define __Check(assertion) \
    do { \
        if (!(assertion)) { \
            AUDIOTOOLBOX_REPORT_(#assertion, 0, 0, 0); \
        } \
    } while (0)
#endif
#ifndef __Check_String
#define __Check_String(assertion, message) \
    do { \
        if (!(assertion)) { \
            AUDIOTOOLBOX_REPORT_(#assertion, 0, message, 0); \
        } \
    } while (0)
#endif
#ifndef __Check_noErr
#define __Check_noErr(errorCode) \
    do { \
        long audiotoolbox_result_ = (long)(errorCode); \
        if (audiotoolbox_result_ != 0) { \
            AUDIOTOOLBOX_REPORT_(#errorCode " == 0", 0, 0, audiotoolbox_result_); \
        } \
    } while (0)
#endif
#ifndef __Check_noErr_String
#define __Check_noErr_String(errorCode, message) \
    do { \
        long audiotoolbox_result_ = (long)(errorCode); \
        if (audiotoolbox_result_ != 0) { \
            AUDIOTOOLBOX_REPORT_(#errorCode " == 0", 0, message, audiotoolbox_result_); \
        } \
    } while (0)
#endif
#endif

#ifndef __Verify
#define __Verify(assertion) \
    do { \
        if (!(assertion)) { \
            AUDIOTOOLBOX_REPORT_(#assertion, 0, 0, 0); \
        } \
    } while (0)
#endif
#ifndef __Verify_String
#define __Verify_String(assertion, message) \
    do { \
        if (!(assertion)) { \
            AUDIOTOOLBOX_REPORT_(#assertion, 0, message, 0); \
        } \
    } while (0)
#endif
#ifndef __Verify_Action
#define __Verify_Action(assertion, action) \
    do { \
        if (!(assertion)) { \
            AUDIOTOOLBOX_REPORT_(#assertion, 0, 0, 0); \
            { action; } \
        } \
    } while (0)
#endif
#ifndef __Require
#define __Require(assertion, exceptionLabel) \
    do { \
        if (!(assertion)) { \
            AUDIOTOOLBOX_REPORT_(#assertion, #exceptionLabel, 0, 0); \
            goto exceptionLabel; \
        } \
    } while (0)
#endif
#ifndef __Require_String
#define __Require_String(assertion, exceptionLabel, message) \
    do { \
        if (!(assertion)) { \
            AUDIOTOOLBOX_REPORT_(#assertion, #exceptionLabel, message, 0); \
            goto exceptionLabel; \
        } \
    } while (0)
#endif
#ifndef __Require_Quiet
#define __Require_Quiet(assertion, exceptionLabel) \
    do { \
        if (!(assertion)) { \
            goto exceptionLabel; \
        } \
    } while (0)
#endif
#ifndef __Require_Action
#define __Require_Action(assertion, exceptionLabel, action) \
    do { \
        if (!(assertion)) { \
            AUDIOTOOLBOX_REPORT_(#assertion, #exceptionLabel, 0, 0); \
            { action; } \
            goto exceptionLabel; \
        } \
    } while (0)
#endif
#ifndef __Require_Action_String
#define __Require_Action_String(assertion, exceptionLabel, action, message) \
    do { \
        if (!(assertion)) { \
            AUDIOTOOLBOX_REPORT_(#assertion, #exceptionLabel, message, 0); \
            { action; } \
            goto exceptionLabel; \
        } \
    } while (0)
#endif
#ifndef __Require_Action_Quiet
#define __Require_Action_Quiet(assertion, exceptionLabel, action) \
    do { \
        if (!(assertion)) { \
            { action; } \
            goto exceptionLabel; \
        } \
    } while (0)
#endif
#ifndef __Verify_noErr
#define __Verify_noErr(errorCode) \
    do { \
        long audiotoolbox_result_ = (long)(errorCode); \
        if (audiotoolbox_result_ != 0) { \
            AUDIOTOOLBOX_REPORT_(#errorCode " == 0", 0, 0, audiotoolbox_result_); \
        } \
    } while (0)
#endif
#ifndef __Verify_noErr_String
#define __Verify_noErr_String(errorCode, message) \
    do { \
        long audiotoolbox_result_ = (long)(errorCode); \
        if (audiotoolbox_result_ != 0) { \
            AUDIOTOOLBOX_REPORT_(#errorCode " == 0", 0, message, audiotoolbox_result_); \
        } \
    } while (0)
#endif
#ifndef __Verify_noErr_Action
#define __Verify_noErr_Action(errorCode, action) \
    do { \
        long audiotoolbox_result_ = (long)(errorCode); \
        if (audiotoolbox_result_ != 0) { \
            AUDIOTOOLBOX_REPORT_(#errorCode " == 0", 0, 0, audiotoolbox_result_); \
            { action; } \
        } \
    } while (0)
#endif
#ifndef __Require_noErr
#define __Require_noErr(errorCode, exceptionLabel) \
    do { \
        long audiotoolbox_result_ = (long)(errorCode); \
        if (audiotoolbox_result_ != 0) { \
            AUDIOTOOLBOX_REPORT_(#errorCode " == 0", #exceptionLabel, 0, audiotoolbox_result_); \
            goto exceptionLabel; \
        } \
    } while (0)
#endif
#ifndef __Require_noErr_String
#define __Require_noErr_String(errorCode, exceptionLabel, message) \
    do { \
        long audiotoolbox_result_ = (long)(errorCode); \
        if (audiotoolbox_result_ != 0) { \
            AUDIOTOOLBOX_REPORT_(#errorCode " == 0", #exceptionLabel, message, audiotoolbox_result_); \
            goto exceptionLabel; \
        } \
    } while (0)
#endif
#ifndef __Require_noErr_Quiet
#define __Require_noErr_Quiet(errorCode, exceptionLabel) \
    do { \
        long audiotoolbox_result_ = (long)(errorCode); \
        if (audiotoolbox_result_ != 0) { \
            goto exceptionLabel; \
        } \
    } while (0)
#endif
#ifndef __Require_noErr_Action
#define __Require_noErr_Action(errorCode, exceptionLabel, action) \
    do { \
        long audiotoolbox_result_ = (long)(errorCode); \
        if (audiotoolbox_result_ != 0) { \
            AUDIOTOOLBOX_REPORT_(#errorCode " == 0", #exceptionLabel, 0, audiotoolbox_result_); \
            { action; } \
            goto exceptionLabel; \
        } \
    } while (0)
#endif
#ifndef __Require_noErr_Action_String
#define __Require_noErr_Action_String(errorCode, exceptionLabel, action, message) \
    do { \
        long audiotoolbox_result_ = (long)(errorCode); \
        if (audiotoolbox_result_ != 0) { \
            AUDIOTOOLBOX_REPORT_(#errorCode " == 0", #exceptionLabel, message, audiotoolbox_result_); \
            { action; } \
            goto exceptionLabel; \
        } \
    } while (0)
#endif
#ifndef __Require_noErr_Action_Quiet
#define __Require_noErr_Action_Quiet(errorCode, exceptionLabel, action) \
    do { \
        long audiotoolbox_result_ = (long)(errorCode); \
        if (audiotoolbox_result_ != 0) { \
            { action; } \
            goto exceptionLabel; \
        } \
    } while (0)
#endif
#ifndef __nCheck
#define __nCheck(assertion) __Check(!(assertion))
#endif
#ifndef __nCheck_String
#define __nCheck_String(assertion, message) __Check_String(!(assertion), message)
#endif
#ifndef __nVerify
#define __nVerify(assertion) __Verify(!(assertion))
#endif
#ifndef __nVerify_String
#define __nVerify_String(assertion, message) __Verify_String(!(assertion), message)
#endif
#ifndef __nRequire
#define __nRequire(assertion, exceptionLabel) __Require(!(assertion), exceptionLabel)
#endif
#ifndef __nRequire_Quiet
#define __nRequire_Quiet(assertion, exceptionLabel) __Require_Quiet(!(assertion), exceptionLabel)
#endif
#ifndef __nRequire_String
#define __nRequire_String(assertion, exceptionLabel, message) __Require_String(!(assertion), exceptionLabel, message)
#endif
#ifndef __nRequire_Action
#define __nRequire_Action(assertion, exceptionLabel, action) __Require_Action(!(assertion), exceptionLabel, action)
#endif
#ifndef __nRequire_Action_Quiet
#define __nRequire_Action_Quiet(assertion, exceptionLabel, action) __Require_Action_Quiet(!(assertion), exceptionLabel, action)
#endif
#ifndef __nRequire_Action_String
#define __nRequire_Action_String(assertion, exceptionLabel, action, message) \
    __Require_Action_String(!(assertion), exceptionLabel, action, message)
#endif

/* Does not compile if the constant expression is 0. */
#ifndef __Check_Compile_Time
#if defined(__cplusplus) && __cplusplus >= 201103L
#define __Check_Compile_Time(expr) static_assert(expr, "__Check_Compile_Time")
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define __Check_Compile_Time(expr) _Static_assert(expr, "__Check_Compile_Time")
#else
#define __Check_Compile_Time(expr) extern int audiotoolbox_check_compile_time_[(expr) ? 1 : -1] __attribute__((__unused__))
#endif
#endif

#ifndef __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES
#define __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES 1
#endif

#if __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES
#ifndef debug_string
#define debug_string(message) __Debug_String(message)
#endif
#ifndef check
#define check(assertion) __Check(assertion)
#endif
#ifndef check_string
#define check_string(assertion, message) __Check_String(assertion, message)
#endif
#ifndef check_noerr
#define check_noerr(errorCode) __Check_noErr(errorCode)
#endif
#ifndef check_noerr_string
#define check_noerr_string(errorCode, message) __Check_noErr_String(errorCode, message)
#endif
#ifndef check_compile_time
#define check_compile_time(expr) __Check_Compile_Time(expr)
#endif
#ifndef verify
#define verify(assertion) __Verify(assertion)
#endif
#ifndef verify_string
#define verify_string(assertion, message) __Verify_String(assertion, message)
#endif
#ifndef verify_action
#define verify_action(assertion, action) __Verify_Action(assertion, action)
#endif
#ifndef require
#define require(assertion, exceptionLabel) __Require(assertion, exceptionLabel)
#endif
#ifndef require_string
#define require_string(assertion, exceptionLabel, message) __Require_String(assertion, exceptionLabel, message)
#endif
#ifndef require_quiet
#define require_quiet(assertion, exceptionLabel) __Require_Quiet(assertion, exceptionLabel)
#endif
#ifndef require_action
#define require_action(assertion, exceptionLabel, action) __Require_Action(assertion, exceptionLabel, action)
#endif
#ifndef require_action_string
#define require_action_string(assertion, exceptionLabel, action, message) \
    __Require_Action_String(assertion, exceptionLabel, action, message)
#endif
#ifndef require_action_quiet
#define require_action_quiet(assertion, exceptionLabel, action) __Require_Action_Quiet(assertion, exceptionLabel, action)
#endif
#ifndef verify_noerr
#define verify_noerr(errorCode) __Verify_noErr(errorCode)
#endif
#ifndef verify_noerr_string
#define verify_noerr_string(errorCode, message) __Verify_noErr_String(errorCode, message)
#endif
#ifndef verify_noerr_action
#define verify_noerr_action(errorCode, action) __Verify_noErr_Action(errorCode, action)
#endif
#ifndef require_noerr
#define require_noerr(errorCode, exceptionLabel) __Require_noErr(errorCode, exceptionLabel)
#endif
#ifndef require_noerr_string
#define require_noerr_string(errorCode, exceptionLabel, message) __Require_noErr_String(errorCode, exceptionLabel, message)
#endif
#ifndef require_noerr_quiet
#define require_noerr_quiet(errorCode, exceptionLabel) __Require_noErr_Quiet(errorCode, exceptionLabel)
#endif
#ifndef require_noerr_action
#define require_noerr_action(errorCode, exceptionLabel, action) __Require_noErr_Action(errorCode, exceptionLabel, action)
#endif
#ifndef require_noerr_action_string
#define require_noerr_action_string(errorCode, exceptionLabel, action, message) \
    __Require_noErr_Action_String(errorCode, exceptionLabel, action, message)
#endif
#ifndef require_noerr_action_quiet
#define require_noerr_action_quiet(errorCode, exceptionLabel, action) \
    __Require_noErr_Action_Quiet(errorCode, exceptionLabel, action)
#endif
#ifndef ncheck
#define ncheck(assertion) __nCheck(assertion)
#endif
#ifndef ncheck_string
#define ncheck_string(assertion, message) __nCheck_String(assertion, message)
#endif
#ifndef nverify
#define nverify(assertion) __nVerify(assertion)
#endif
#ifndef nverify_string
#define nverify_string(assertion, message) __nVerify_String(assertion, message)
#endif
#ifndef nrequire
#define nrequire(assertion, exceptionLabel) __nRequire(assertion, exceptionLabel)
#endif
#ifndef nrequire_quiet
#define nrequire_quiet(assertion, exceptionLabel) __nRequire_Quiet(assertion, exceptionLabel)
#endif
#ifndef nrequire_string
#define nrequire_string(assertion, exceptionLabel, message) __nRequire_String(assertion, exceptionLabel, message)
#endif
#ifndef nrequire_action
#define nrequire_action(assertion, exceptionLabel, action) __nRequire_Action(assertion, exceptionLabel, action)
#endif
#ifndef nrequire_action_quiet
#define nrequire_action_quiet(assertion, exceptionLabel, action) __nRequire_Action_Quiet(assertion, exceptionLabel, action)
#endif
#ifndef nrequire_action_string
#define nrequire_action_string(assertion, exceptionLabel, action, message) \
    __nRequire_Action_String(assertion, exceptionLabel, action, message)
#endif
#endif

#endif
