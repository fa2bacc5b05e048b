// SPDX-License-Identifier: Apache-2.0
// The names are those of the C header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioEngine
import CEngineTable
public import CStatusPage

// The functions of the engine's table for the slots of the status page.

@c @implementation
public func audiosession_status_claim() -> UnsafeMutablePointer<status_slot>? { ProcessStatusPage.claim() }
