/* SPDX-License-Identifier: Apache-2.0 */
/* What code of older Macs asks about the compiler: attributes of declarations, which have no effect, and types that exist. */
#ifndef AUDIOTOOLBOX_CONDITIONALMACROS_H
#define AUDIOTOOLBOX_CONDITIONALMACROS_H
#define __CONDITIONALMACROS__ /* the guard of the platform's header */

#ifndef AUDIOSESSION_TARGETCONDITIONALS_H
#include <TargetConditionals.h>
#endif

/* The interfaces of the platform, without Carbon and Mac OS 8 */
#ifndef TARGET_API_MAC_OSX
#define TARGET_API_MAC_OSX TARGET_OS_MAC
#endif
#ifndef TARGET_API_MAC_CARBON
#define TARGET_API_MAC_CARBON 0
#endif
#ifndef TARGET_API_MAC_OS8
#define TARGET_API_MAC_OS8 0
#endif

#define TYPE_LONGLONG 1
#define TYPE_EXTENDED 0
#ifdef __cplusplus
#define TYPE_BOOL 1
#else
#define TYPE_BOOL 0
#endif

/* Structures are aligned and headers are guarded without pragmas. */
#define PRAGMA_ONCE 0
#define PRAGMA_IMPORT 0
#define PRAGMA_STRUCT_ALIGN 0
#define PRAGMA_STRUCT_PACK 0
#define PRAGMA_STRUCT_PACKPUSH 0
#define PRAGMA_ENUM_PACK 0
#define PRAGMA_ENUM_ALWAYSINT 0
#define PRAGMA_ENUM_OPTIONS 0

#define EXTERN_API(_type) extern _type
#define EXTERN_API_C(_type) extern _type
#define DEFINE_API(_type) _type
#define DEFINE_API_C(_type) _type
#define CALLBACK_API(_type, _name) _type(*_name)
#define CALLBACK_API_C(_type, _name) _type(*_name)

#ifndef FOUR_CHAR_CODE
#define FOUR_CHAR_CODE(x) (x)
#endif

#endif
