// SPDX-License-Identifier: Apache-2.0
// The names are those of the platform.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

@_exported public import typealias CoreFoundation.CFAbsoluteTime
@_exported public import func CoreFoundation.CFAbsoluteTimeGetCurrent
@_exported public import class CoreFoundation.CFRunLoop
@_exported public import func CoreFoundation.CFRunLoopGetCurrent
@_exported public import func CoreFoundation.CFRunLoopGetMain
@_exported public import func CoreFoundation.CFRunLoopRun
@_exported public import enum CoreFoundation.CFRunLoopRunResult
@_exported public import func CoreFoundation.CFRunLoopStop
@_exported public import func CoreFoundation.CFRunLoopWakeUp
@_exported public import func CoreFoundation.CFSwapInt16
@_exported public import func CoreFoundation.CFSwapInt16BigToHost
@_exported public import func CoreFoundation.CFSwapInt16HostToBig
@_exported public import func CoreFoundation.CFSwapInt16HostToLittle
@_exported public import func CoreFoundation.CFSwapInt16LittleToHost
@_exported public import func CoreFoundation.CFSwapInt32
@_exported public import func CoreFoundation.CFSwapInt32BigToHost
@_exported public import func CoreFoundation.CFSwapInt32HostToBig
@_exported public import func CoreFoundation.CFSwapInt32HostToLittle
@_exported public import func CoreFoundation.CFSwapInt32LittleToHost
@_exported public import func CoreFoundation.CFSwapInt64
@_exported public import func CoreFoundation.CFSwapInt64BigToHost
@_exported public import func CoreFoundation.CFSwapInt64HostToBig
@_exported public import func CoreFoundation.CFSwapInt64HostToLittle
@_exported public import func CoreFoundation.CFSwapInt64LittleToHost
@_exported public import typealias CoreFoundation.CFTimeInterval

// Foundation of this platform has no names for the types of CoreFoundation. These are the classes that are bridged to them on
// the platform: `url as CFURL` and `"text" as CFString` bridge here as well.

public typealias CFURL = NSURL
public typealias CFString = NSString
public typealias CFArray = NSArray
public typealias CFMutableArray = NSMutableArray
public typealias CFDictionary = NSDictionary
public typealias CFMutableDictionary = NSMutableDictionary
public typealias CFData = NSData
public typealias CFNumber = NSNumber
public typealias CFError = NSError
public typealias CFTypeRef = AnyObject
public typealias CFPropertyList = AnyObject
