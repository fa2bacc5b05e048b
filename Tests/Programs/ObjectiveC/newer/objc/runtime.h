/* SPDX-License-Identifier: Apache-2.0 */
#include <objc/objc.h>
typedef struct objc_method *Method;
typedef struct objc_ivar *Ivar;
typedef struct objc_category *Category;
typedef struct objc_property *objc_property_t;
typedef struct objc_protocol *objc_protocol_t;
Class object_getClass(id object);
const char *sel_getName(SEL selector);
SEL sel_registerName(const char *name);
