// SPDX-License-Identifier: Apache-2.0
import CVoiceModules
import LinuxSystem

/// The functions of the module that processes voices.
struct VoiceModule {
    typealias Processor = OpaquePointer

    let create: @convention(c) (_ rate: Int32, _ frame: Int32, _ tail: Int32) -> Processor?
    let destroy: @convention(c) (Processor?) -> Void
    let setGainControl: @convention(c) (Processor?, Bool) -> Void
    let process: @convention(c) (Processor?, UnsafePointer<Int16>?, UnsafePointer<Int16>?, UnsafeMutablePointer<Int16>?) -> Void

    /// Loaded when a process first processes a voice. Nil without the module: a line of the log says so, once.
    static let installed: VoiceModule? = {
        var reason: UnsafePointer<CChar>?
        if let found = voice_module_load(&reason), let module = VoiceModule(found.pointee) { return module }
        Log.error(
            "VoiceProcessingIO removes no echo and no noise, because its module audiotoolbox/voice/speexdsp.so cannot be loaded"
                + (reason.map { " (\(String(cString: $0)))" } ?? "")
                + ": install the package libaudiotoolbox0, or libspeexdsp beside the library")
        return nil
    }()

    /// Nil for a module without all functions.
    private init?(_ module: voice_module) {
        guard let create = module.create, let destroy = module.destroy, let setGainControl = module.set_gain_control,
            let process = module.process
        else { return nil }
        self.create = create
        self.destroy = destroy
        self.setGainControl = setGainControl
        self.process = process
    }
}
