/* SPDX-License-Identifier: Apache-2.0 */
/* A reference that retains nothing, for a compiler that counts references and for one that does not. */
#ifndef AVFOUNDATION_AVAUDIOBASE_H
#define AVFOUNDATION_AVAUDIOBASE_H

#if defined(__has_feature)
#if __has_feature(objc_arc)
#define AVFOUNDATION_UNRETAINED __unsafe_unretained
#define AVFOUNDATION_DELEGATE unsafe_unretained
#endif
#endif
#ifndef AVFOUNDATION_DELEGATE
#define AVFOUNDATION_UNRETAINED
#define AVFOUNDATION_DELEGATE assign
#endif

#endif
