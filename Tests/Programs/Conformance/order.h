/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled after two headers in every order. */
typedef char boolean_is_unsigned_char[sizeof(Boolean) == 1 && (Boolean)2 == 2 ? 1 : -1];
typedef char target_is_the_platform[TARGET_OS_IPHONE == 1 && TARGET_OS_MAC == 1 && TARGET_OS_IOS == 1 ? 1 : -1];
CFStringRef order_key(void);
extern const CFStringRef order_constant;
CFStringRef order_key(void) { return CFSTR("h\303\251"); }
AUDIOSESSION_CFSTR(const CFStringRef, order_constant, "h\303\251");
