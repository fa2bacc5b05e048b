// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file

import AVFoundation

/// Listing 1-1 of Apple's "Configuring an Audio Session" (2017), unchanged.
func configureAsInTheDocument() {
    // Access the shared, singleton audio session instance
    let session = AVAudioSession.sharedInstance()
    do {
        // Configure the audio session for movie playback
        try session.setCategory(AVAudioSessionCategoryPlayback,
                                mode: AVAudioSessionModeMoviePlayback,
                                options: [])
    } catch let error as NSError {
        print("Failed to set the audio session category and mode: \(error.localizedDescription)")
    }
}
