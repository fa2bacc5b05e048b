// SPDX-License-Identifier: Apache-2.0
import CServerModules
import Foundation
import Testing

/// What a sound server tells about one port of a real device, and what the port is.
struct DescribedPort: CustomTestStringConvertible, Sendable {
    let device: String
    /// Where somebody has shown the device.
    let source: String
    let kind: server_port_kind
    var isInput = false
    var node: String?
    var port: String?
    var type: String?
    var bus: String?
    var form: String?
    var api: String? = "alsa"
    var profile: String?
    var link: String?
    var icon: String?
    var pcm: String?
    var isNetwork = false

    var testDescription: String { device }

    var portKind: server_port_kind {
        let texts = [node, port, type, bus, form, api, profile, link, icon, pcm].map { $0.flatMap { strdup($0) } }
        defer { for text in texts { free(text) } }
        var facts = port_facts()
        facts.is_input = isInput ? 1 : 0
        facts.node = UnsafePointer(texts[0])
        facts.port = UnsafePointer(texts[1])
        facts.port_type = UnsafePointer(texts[2])
        facts.bus = UnsafePointer(texts[3])
        facts.form_factor = UnsafePointer(texts[4])
        facts.api = UnsafePointer(texts[5])
        facts.profile = UnsafePointer(texts[6])
        facts.protocol = UnsafePointer(texts[7])
        facts.icon = UnsafePointer(texts[8])
        facts.pcm = UnsafePointer(texts[9])
        facts.is_network = isNetwork ? 1 : 0
        return port_kind(&facts)
    }

    static let laptopsAndDesktops = [
        DescribedPort(
            device: "speakers of a laptop with an HDA codec",
            source:
                "marioortizmanero/polybar-pulseaudio-control issue 62 lists its two ports, the speakers of unknown availability.",
            kind: SERVER_SPEAKER, node: "alsa_output.pci-0000_00_1f.3.analog-stereo", port: "analog-output-speaker",
            type: "speaker",
            bus: "pci", form: "internal", profile: "analog-stereo", icon: "audio-card-analog-pci", pcm: "ALC257 Analog"),
        DescribedPort(
            device: "headphones of the same laptop",
            source: "The same list has the headphones, not available while nothing is plugged in.", kind: SERVER_HEADPHONES,
            node: "alsa_output.pci-0000_00_1f.3.analog-stereo", port: "analog-output-headphones", type: "headphones", bus: "pci",
            form: "internal", profile: "analog-stereo"),
        DescribedPort(
            device: "built-in microphone of a laptop with PulseAudio before 14, which tells no types",
            source: "elementary/settings-sound issue 80 lists the card of a Dell XPS.", kind: SERVER_MICROPHONE, isInput: true,
            node: "alsa_input.pci-0000_00_1f.3.analog-stereo", port: "analog-input-internal-mic", bus: "pci", form: "internal",
            icon: "audio-input-microphone"),
        DescribedPort(
            device: "jack of the same laptop for a headset or a microphone",
            source: "The same card has a headphone microphone, not available while nothing is plugged in.",
            kind: SERVER_HEADSET_MICROPHONE, isInput: true, node: "alsa_input.pci-0000_00_1f.3.analog-stereo",
            port: "analog-input-headphone-mic", bus: "pci", form: "internal", icon: "audio-input-microphone"),
        DescribedPort(
            device: "headset microphone of a laptop",
            source: "The profile set analog-input-headset-mic of PulseAudio is what laptops with a combined jack use.",
            kind: SERVER_HEADSET_MICROPHONE, isInput: true, node: "alsa_input.pci-0000_00_1f.3.analog-stereo",
            port: "analog-input-headset-mic", type: "mic", bus: "pci", form: "internal"),
        DescribedPort(
            device: "front microphone of a desktop",
            source:
                "luisbocanegra/linux-guide-split-audio-ports issue 24 lists the card of a desktop with three microphone jacks.",
            kind: SERVER_HEADSET_MICROPHONE, isInput: true, node: "alsa_input.pci-0000_00_1b.0.analog-stereo",
            port: "analog-input-front-mic", type: "mic", bus: "pci", form: "internal"),
        DescribedPort(
            device: "rear microphone of the same desktop", source: "It is the second port of that card.",
            kind: SERVER_HEADSET_MICROPHONE, isInput: true, node: "alsa_input.pci-0000_00_1b.0.analog-stereo",
            port: "analog-input-rear-mic", type: "mic", bus: "pci", form: "internal"),
        DescribedPort(
            device: "line input of a desktop", source: "The path analog-input-linein of PulseAudio has this name and type.",
            kind: SERVER_LINE_IN, isInput: true, node: "alsa_input.pci-0000_00_1b.0.analog-stereo", port: "analog-input-linein",
            type: "line", bus: "pci", form: "internal"),
        DescribedPort(
            device: "line output of a desktop",
            source: "Nobara-Project/nobara-core-packages issue 102 is about a line output that a desktop does not offer.",
            kind: SERVER_LINE_OUT, node: "alsa_output.pci-0000_2f_00.4.analog-stereo", port: "analog-output-lineout",
            type: "line",
            bus: "pci", pcm: "ALC1220 Analog"),
        DescribedPort(
            device: "optical output of the same desktop", source: "The same card has a digital output of unknown availability.",
            kind: SERVER_LINE_OUT, node: "alsa_output.pci-0000_2f_00.4.iec958-stereo", port: "iec958-stereo-output",
            type: "spdif",
            bus: "pci", profile: "iec958-stereo"),
        DescribedPort(
            device: "optical input of a sound card", source: "The path iec958-stereo-input of PulseAudio has this name and type.",
            kind: SERVER_LINE_IN, isInput: true, node: "alsa_input.pci-0000_05_04.0.iec958-stereo", port: "iec958-stereo-input",
            type: "spdif", bus: "pci"),
        DescribedPort(
            device: "optical output of a server without ports", source: "PulseAudio before 9 gave digital outputs no ports.",
            kind: SERVER_LINE_OUT, node: "alsa_output.pci-0000_00_14.2.iec958-stereo", bus: "pci", form: "internal",
            icon: "audio-card-pci", pcm: "ALC892 Digital"),
        DescribedPort(
            device: "only output of a desktop whose jacks are not detected",
            source: "luisbocanegra/linux-guide-split-audio-ports issue 21 has such a codec, an ALC1150.", kind: SERVER_SPEAKER,
            node: "alsa_output.pci-0000_00_1b.0.analog-stereo", port: "analog-output", type: "analog", bus: "pci",
            form: "internal"),
        DescribedPort(
            device: "microphone at the dock of a laptop",
            source: "The path analog-input-dock-mic of PulseAudio is the microphone of a dock at a jack of the machine.",
            kind: SERVER_HEADSET_MICROPHONE, isInput: true, node: "alsa_input.pci-0000_00_1b.0.analog-stereo",
            port: "analog-input-dock-mic", type: "mic", bus: "pci"),
    ]

    static let useCases = [
        DescribedPort(
            device: "speakers of a ThinkBook with the SOF driver",
            source: "luisbocanegra/linux-guide-split-audio-ports issue 26 lists the sinks of a Lenovo 21N5.",
            kind: SERVER_SPEAKER,
            node: "alsa_output.pci-0000_00_1f.3-platform-skl_hda_dsp_generic.HiFi__Speaker__sink", port: "[Out] Speaker",
            type: "speaker", bus: "pci", form: "internal", profile: "HiFi: Speaker: sink"),
        DescribedPort(
            device: "headphones of the same ThinkBook", source: "It is the second sink of the same profile.",
            kind: SERVER_HEADPHONES,
            node: "alsa_output.pci-0000_00_1f.3-platform-skl_hda_dsp_generic.HiFi__Headphones__sink", port: "[Out] Headphones",
            type: "headphones", bus: "pci", form: "internal"),
        DescribedPort(
            device: "first monitor of a laptop with use cases",
            source: "luisbocanegra/linux-guide-split-audio-ports issue 15 lists four of them, with one availability group each.",
            kind: SERVER_HDMI, node: "alsa_output.pci-0000_07_00.1.HiFi__HDMI1__sink", port: "[Out] HDMI1", type: "hdmi",
            bus: "pci",
            icon: "video-display"),
        DescribedPort(
            device: "third monitor of a Dell Vostro with PulseAudio 13, which tells no types",
            source: "yktoo/indicator-sound-switcher issue 107 lists the sinks of a Vostro 5490.", kind: SERVER_HDMI,
            node: "alsa_output.pci-0000_00_1f.3-platform-skl_hda_dsp_generic.HiFi__hw_sofhdadsp_5__sink", port: "[Out] HDMI3",
            bus: "pci", form: "internal"),
        DescribedPort(
            device: "digital microphone of an HP OmniBook",
            source: "alsa-project/alsa-ucm-conf issue 720: Mic1 of its profile is the microphone array.", kind: SERVER_MICROPHONE,
            isInput: true, node: "alsa_input.pci-0000_00_1f.3-platform-skl_hda_dsp_generic.HiFi__Mic1__source", port: "[In] Mic1",
            type: "mic", bus: "pci", form: "internal"),
        DescribedPort(
            device: "headset microphone of the same OmniBook", source: "Mic2 of that profile is the microphone of the jack.",
            kind: SERVER_HEADSET_MICROPHONE, isInput: true,
            node: "alsa_input.pci-0000_00_1f.3-platform-skl_hda_dsp_generic.HiFi__Mic2__source", port: "[In] Mic2", type: "mic",
            bus: "pci", form: "internal"),
        DescribedPort(
            device: "speakers of a laptop of AMD with use cases",
            source: "alsa-project/alsa-lib issue 245 has one sink for the speaker and the headphones.", kind: SERVER_SPEAKER,
            node: "alsa_output.pci-0000_06_00.6.HiFi__hw_Generic__sink", port: "[Out] Speaker", bus: "pci", pcm: "ALC245 Analog"),
        DescribedPort(
            device: "speakers of a Steam Deck",
            source: "alsa-project/alsa-ucm-conf pull request 233 has its devices: Speaker, Headphones, Internal Mic and Headset.",
            kind: SERVER_SPEAKER, node: "alsa_output.pci-0000_04_00.5-platform-acp5x_mach.0.HiFi__hw_acp5x_1__sink",
            port: "[Out] Speaker", type: "speaker", bus: "pci"),
        DescribedPort(
            device: "headset of a Steam Deck", source: "The same profile has the device Headset for the jack.",
            kind: SERVER_HEADSET_MICROPHONE, isInput: true,
            node: "alsa_input.pci-0000_04_00.5-platform-acp5x_mach.0.HiFi__hw_acp5x_0__source", port: "[In] Headset",
            type: "headset", bus: "pci"),
        DescribedPort(
            device: "filter of a Steam Deck",
            source: "holoiso-eol/holoiso issue 34 lists the sink of its echo canceller.", kind: SERVER_SPEAKER,
            node: "echo-cancel-sink",
            api: nil),
        DescribedPort(
            device: "earpiece of a PinePhone",
            source:
                "alsa-project/alsa-ucm-conf pull request 134 has the device Earpiece; maemo-leste/bugtracker issue 615 the sink.",
            kind: SERVER_RECEIVER, node: "alsa_output.platform-sound.HiFi__hw_PinePhone_0__sink", port: "[Out] Earpiece",
            type: "earpiece", form: "internal"),
        DescribedPort(
            device: "loudspeaker of a PinePhone", source: "The same profile has the device Speaker.", kind: SERVER_SPEAKER,
            node: "alsa_output.platform-sound.HiFi__hw_PinePhone_0__sink", port: "[Out] Speaker", form: "internal"),
        DescribedPort(
            device: "handset of a Librem 5 with a server that tells no types",
            source: "alsa-project/alsa-ucm-conf pull request 181 has the profile of a Librem 5.", kind: SERVER_RECEIVER,
            node: "alsa_output.platform-sound-wm8962.HiFi__hw_L5_0__sink", port: "[Out] Handset"),
        DescribedPort(
            device: "earpiece of a telephone with Android's drivers",
            source: "pulseaudio-modules-droid names its ports after the devices of Android.", kind: SERVER_RECEIVER,
            node: "sink.primary_output", port: "output-earpiece", api: "droid-hal"),
        DescribedPort(
            device: "wired headset of the same telephone", source: "The module has output-wired_headset as well.",
            kind: SERVER_HEADPHONES, node: "sink.primary_output", port: "output-wired_headset", api: "droid-hal"),
        DescribedPort(
            device: "built-in microphone of the same telephone", source: "The module has input-builtin_mic as well.",
            kind: SERVER_MICROPHONE, isInput: true, node: "source.primary_input", port: "input-builtin_mic", api: "droid-hal"),
    ]

    static let monitorsAndBoards = [
        DescribedPort(
            device: "monitor at a graphics card",
            source: "luisbocanegra/linux-guide-split-audio-ports issue 31 lists six of them, one available.", kind: SERVER_HDMI,
            node: "alsa_output.pci-0000_01_00.1.hdmi-stereo", port: "hdmi-output-0", type: "hdmi", bus: "pci",
            profile: "hdmi-stereo",
            icon: "video-display"),
        DescribedPort(
            device: "monitor at a graphics card with PulseAudio before ports",
            source: "dpayne/cli-visualizer issue 33 shows such a sink.", kind: SERVER_HDMI,
            node: "alsa_output.pci-0000_01_00.1.hdmi-stereo", bus: "pci", icon: "audio-card-pci", pcm: "HDMI 0"),
        DescribedPort(
            device: "receiver with surround sound at a graphics card",
            source: "elementary/settings-sound issue 80 lists the profiles hdmi-surround and hdmi-surround71.", kind: SERVER_HDMI,
            node: "alsa_output.pci-0000_01_00.1.hdmi-surround71-extra1", port: "hdmi-output-1", type: "hdmi", bus: "pci"),
        DescribedPort(
            device: "monitor of a ROG Ally in the profile of musicians",
            source: "ublue-os/bazzite issue 1363 lists a sink without ports whose PCM device is HDMI 0.", kind: SERVER_HDMI,
            node: "alsa_output.pci-0000_09_00.1.pro-output-3", bus: "pci", profile: "pro-output-3", pcm: "HDMI 0"),
        DescribedPort(
            device: "speakers of a laptop in the profile of musicians",
            source: "luisbocanegra/linux-guide-split-audio-ports issue 15 lists a sink pro-output-0.", kind: SERVER_SPEAKER,
            node: "alsa_output.pci-0000_07_00.6.pro-output-0", bus: "pci", profile: "pro-output-0", pcm: "ALC245 Analog"),
        DescribedPort(
            device: "jack of a Raspberry Pi 4",
            source:
                "iotsound/iotsound issue 377 lists alsa_output.bcm2835-jack.stereo-fallback, whose PCM is bcm2835 Headphones.",
            kind: SERVER_HEADPHONES, node: "alsa_output.bcm2835-jack.stereo-fallback", form: "internal", icon: "audio-card",
            pcm: "bcm2835 Headphones"),
        DescribedPort(
            device: "output of an old Raspberry Pi", source: "fossasia/susi_linux pull request 289 lists its sink.",
            kind: SERVER_SPEAKER, node: "alsa_output.platform-soc_audio.analog-stereo", port: "analog-output", pcm: "bcm2835 ALSA"
        ),
        DescribedPort(
            device: "monitor of a Raspberry Pi 4", source: "PortAudio/portaudio issue 805 is about the card vc4-hdmi.",
            kind: SERVER_HDMI, node: "alsa_output.platform-fef00700.hdmi.hdmi-stereo", form: "internal",
            pcm: "MAI PCM i2s-hifi-0"),
    ]

    static let usb = [
        DescribedPort(
            device: "output of a ROCCAT headset", source: "kgshank/gse-sound-output-device-chooser issue 25 lists its card.",
            kind: SERVER_USB_OUTPUT, node: "alsa_output.usb-1e7d_KAVE_XTD_Headset-00.analog-stereo", port: "analog-output",
            bus: "usb", form: "headset", icon: "audio-headset-usb", pcm: "USB Audio"),
        DescribedPort(
            device: "microphone of a ROCCAT headset", source: "The same card has a source.", kind: SERVER_USB_INPUT,
            isInput: true,
            node: "alsa_input.usb-1e7d_KAVE_XTD_Headset-00.analog-stereo", port: "analog-input-mic", type: "mic", bus: "usb",
            form: "headset"),
        DescribedPort(
            device: "headphones of a USB adapter", source: "USB devices with one jack have analog-output-headphones.",
            kind: SERVER_USB_OUTPUT, node: "alsa_output.usb-Apple__Inc._USB-C_to_3.5mm_Headphone_Jack_Adapter-00.analog-stereo",
            port: "analog-output-headphones", type: "headphones", bus: "usb", icon: "audio-card-analog-usb"),
        DescribedPort(
            device: "speakers of a USB monitor", source: "liquidsoap issue 489 lists a Samsung UC Audio device.",
            kind: SERVER_USB_OUTPUT, node: "alsa_output.usb-UCQ01000_Samsung_UC_Audio-00.analog-stereo",
            port: "analog-output-speaker", type: "speaker", bus: "usb"),
        DescribedPort(
            device: "digital-to-analog converter", source: "iotsound/iotsound issue 496 is about a SONY UDA-1 behind USB.",
            kind: SERVER_USB_OUTPUT, node: "alsa_output.usb-SONY_UDA-1-00.iec958-stereo", port: "iec958-stereo-output",
            type: "spdif", bus: "usb", profile: "iec958-stereo"),
        DescribedPort(
            device: "interface with four outputs", source: "The same thread has a Scarlett 2i4, whose profile is surround 4.0.",
            kind: SERVER_USB_OUTPUT, node: "alsa_output.usb-Focusrite_Scarlett_2i4_USB-00.analog-surround-40",
            port: "analog-output",
            bus: "usb"),
        DescribedPort(
            device: "webcam", source: "peteonrails/voxtype issue 564 names the source of a C920.", kind: SERVER_USB_INPUT,
            isInput: true, node: "alsa_input.usb-046d_HD_Pro_Webcam_C920_XXXXXXXX-02.analog-stereo", port: "analog-input-mic",
            type: "mic", bus: "usb", form: "webcam", icon: "camera-web-usb"),
        DescribedPort(
            device: "webcam without ports", source: "karlstav/cava issue 403 lists a camera with one channel.",
            kind: SERVER_USB_INPUT, isInput: true, node: "alsa_input.usb-Generic_USB2.0_PC_CAMERA-02.mono-fallback", bus: "usb",
            form: "webcam"),
        DescribedPort(
            device: "jack of a Dell dock", source: "alsa-project/alsa-ucm-conf pull request 185 has its jacks.",
            kind: SERVER_USB_OUTPUT, node: "alsa_output.usb-Generic_USB_Audio_200901010001-00.HiFi__hw_Dock_0__sink",
            port: "[Out] Headphones", type: "headphones", bus: "usb"),
        DescribedPort(
            device: "line output of the same dock", source: "The same profile has the device Line.", kind: SERVER_USB_OUTPUT,
            node: "alsa_output.usb-Generic_USB_Audio_200901010001-00.HiFi__hw_Dock_1__sink", port: "[Out] Line", type: "line",
            bus: "usb"),
        DescribedPort(
            device: "chat of a headset with two sinks",
            source: "szszoke/sennheiser-gsp670-pulseaudio-profile has such a profile.",
            kind: SERVER_USB_OUTPUT, node: "alsa_output.usb-Sennheiser_GSP_670-00.output-chat", port: "analog-chat-output",
            type: "headset", bus: "usb", form: "headset"),
        DescribedPort(
            device: "main board with a codec at USB",
            source: "alsa-project/alsa-ucm-conf pull request 42 has a ThinkStation P620.",
            kind: SERVER_USB_OUTPUT, node: "alsa_output.usb-Generic_USB_Audio-00.HiFi__hw_Audio_1__sink", port: "[Out] Speaker",
            type: "speaker", bus: "usb"),
        DescribedPort(
            device: "monitor at a dock whose sound is USB", source: "A device of the type HDMI at USB is a monitor.",
            kind: SERVER_HDMI, node: "alsa_output.usb-DisplayLink_Dock-00.HiFi__hw_Dock_2__sink", port: "[Out] HDMI1",
            type: "hdmi",
            bus: "usb"),
    ]

    static let bluetooth = [
        DescribedPort(
            device: "music of a Bluedio headset on PulseAudio", source: "karlstav/cava issue 122 lists its sink.",
            kind: SERVER_A2DP,
            node: "bluez_sink.16_05_03_17_15_B8", port: "headset-output", bus: "bluetooth", form: "headset", api: "bluez",
            link: "a2dp_sink", icon: "audio-headset-bluetooth"),
        DescribedPort(
            device: "call of a headset on PulseAudio before 15",
            source: "EHfive/pulseaudio-modules-bt issue 131 logs the sink with this suffix.", kind: SERVER_HFP_OUTPUT,
            node: "bluez_sink.00_16_94_31_8F_B3.headset_head_unit", port: "headset-output", type: "headset", bus: "bluetooth",
            form: "headset", api: "bluez", link: "headset_head_unit"),
        DescribedPort(
            device: "call of a headset on PulseAudio 16", source: "PulseAudio 15 calls the profile handsfree_head_unit.",
            kind: SERVER_HFP_OUTPUT, node: "bluez_sink.00_16_94_31_8F_B3.handsfree_head_unit", port: "headset-output",
            type: "headset", bus: "bluetooth", form: "headset", api: "bluez", link: "handsfree_head_unit"),
        DescribedPort(
            device: "microphone of the same headset", source: "The profile has a source as well.", kind: SERVER_HFP_INPUT,
            isInput: true, node: "bluez_source.00_16_94_31_8F_B3.handsfree_head_unit", port: "headset-input", type: "headset",
            bus: "bluetooth", form: "headset", api: "bluez", link: "handsfree_head_unit"),
        DescribedPort(
            device: "music of a headset on PipeWire with a better codec",
            source: "luisbocanegra/linux-guide-split-audio-ports issue 15 lists the profile a2dp-sink-sbc_xq.", kind: SERVER_A2DP,
            node: "bluez_output.74_D7_13_E4_27_D8.1", port: "headset-output", type: "headset", bus: "bluetooth", form: "headset",
            api: "bluez5", profile: "a2dp-sink-sbc_xq", link: "a2dp-sink"),
        DescribedPort(
            device: "call of the same headset", source: "The same card has the profile headset-head-unit-msbc.",
            kind: SERVER_HFP_OUTPUT, node: "bluez_output.74_D7_13_E4_27_D8.1", port: "headset-hf-output", type: "headset",
            bus: "bluetooth", form: "headset", api: "bluez5", profile: "headset-head-unit-msbc", link: "headset-head-unit"),
        DescribedPort(
            device: "microphone of the same headset on PipeWire", source: "The same card has the port headset-hf-input.",
            kind: SERVER_HFP_INPUT, isInput: true, node: "bluez_input.74_D7_13_E4_27_D8.0", port: "headset-hf-input",
            type: "headset", bus: "bluetooth", form: "headset", api: "bluez5", link: "headset-head-unit"),
        DescribedPort(
            device: "headphones on PipeWire", source: "bluez/bluez issue 2280 lists the card of Teufel headphones.",
            kind: SERVER_A2DP, node: "bluez_output.XX_XX_XX_XX_XX_XX.1", port: "headphone-output", type: "headphones",
            bus: "bluetooth", form: "headphone", api: "bluez5", profile: "a2dp-sink"),
        DescribedPort(
            device: "loudspeaker", source: "The device class of a loudspeaker gives its port this name.", kind: SERVER_A2DP,
            node: "bluez_sink.F8_DF_15_00_00_01.a2dp_sink", port: "speaker-output", type: "speaker", bus: "bluetooth",
            form: "speaker", api: "bluez"),
        DescribedPort(
            device: "car", source: "A hands-free unit has both profiles; this is the telephone call.", kind: SERVER_HFP_OUTPUT,
            node: "bluez_output.00_07_04_00_00_01.1", port: "car-output", type: "car", bus: "bluetooth", form: "car",
            api: "bluez5", link: "headset-head-unit"),
        DescribedPort(
            device: "earphones with LE Audio", source: "PipeWire has the profile bap-sink for music.", kind: SERVER_A2DP,
            node: "bluez_output.C0_FF_EE_00_00_01.1", port: "headset-output", bus: "bluetooth", form: "headset", api: "bluez5",
            profile: "bap-sink"),
        DescribedPort(
            device: "earphones with LE Audio in a call", source: "PipeWire has the profile bap-duplex for calls.",
            kind: SERVER_HFP_OUTPUT, node: "bluez_output.C0_FF_EE_00_00_01.1", port: "headset-output", bus: "bluetooth",
            form: "headset", api: "bluez5", profile: "bap-duplex"),
        DescribedPort(
            device: "telephone that plays to this machine", source: "PipeWire has the profile a2dp-source for it.",
            kind: SERVER_HFP_INPUT, isInput: true, node: "bluez_input.22_22_00_00_00_01.2", port: "phone-input", type: "phone",
            bus: "bluetooth", form: "phone", api: "bluez5", profile: "a2dp-source"),
        DescribedPort(
            device: "null sink that stands for a headset", source: "Tests make it with device.bus and device.form_factor.",
            kind: SERVER_A2DP, node: "headset", bus: "bluetooth", form: "headset", api: nil),
        DescribedPort(
            device: "null source that stands for a headset", source: "The same properties of a source.", kind: SERVER_HFP_INPUT,
            isInput: true, node: "headset", bus: "bluetooth", form: "headset", api: nil),
    ]

    static let networkAndVirtual = [
        DescribedPort(
            device: "AirPlay receiver on PulseAudio",
            source: "openhab/openhab-addons issue 12555 lists the sink of a living room.",
            kind: SERVER_AIRPLAY, node: "raop_output.arm-7.local.3", port: "network-output", api: nil, icon: "audio-card",
            isNetwork: true),
        DescribedPort(
            device: "AirPlay receiver with a name of its user",
            source: "hfujita/pulseaudio-raop2 issue 40 has a sink \"pioneer\"; the module is the evidence.", kind: SERVER_AIRPLAY,
            node: "pioneer", api: "raop", isNetwork: true),
        DescribedPort(
            device: "AirPlay receiver on PipeWire", source: "The module raop-sink of PipeWire makes this name.",
            kind: SERVER_AIRPLAY, node: "raop_sink.Living-Room.local.192.168.1.5.7000", api: nil, icon: "audio-speakers"),
        DescribedPort(
            device: "tunnel to the monitor of another machine", source: "The module tunnel of PulseAudio makes this name.",
            kind: SERVER_SPEAKER, node: "tunnel.server.local.alsa_output.pci-0000_01_00.1.hdmi-stereo", api: nil,
            icon: "network-server",
            isNetwork: true),
        DescribedPort(
            device: "tunnel to the microphone of another machine", source: "The same module makes sources.",
            kind: SERVER_MICROPHONE, isInput: true, node: "tunnel.server.local.alsa_input.usb-Headset", api: nil, isNetwork: true),
        DescribedPort(
            device: "null sink", source: "The module null-sink of PulseAudio has these properties.", kind: SERVER_SPEAKER,
            node: "auto_null", api: nil, icon: "audio-card"),
        DescribedPort(
            device: "JACK", source: "The module jack-sink of PulseAudio makes this name.", kind: SERVER_SPEAKER, node: "jack_out",
            api: "jack"),
        DescribedPort(
            device: "JACK's input", source: "The module jack-source of PulseAudio makes this name.", kind: SERVER_MICROPHONE,
            isInput: true, node: "jack_in", api: "jack"),
        DescribedPort(
            device: "microphone of a virtual machine", source: "The AC97 card of VirtualBox has these ports, all unknown.",
            kind: SERVER_MICROPHONE, isInput: true, node: "alsa_input.pci-0000_00_05.0.analog-stereo", port: "analog-input-mic",
            bus: "pci", form: "internal"),
    ]

    static let all = laptopsAndDesktops + useCases + monitorsAndBoards + usb + bluetooth + networkAndVirtual
}

@Suite("The ports of sound servers") struct PortFactsTests {
    @Test("A port of a sound server is what the server tells about its device", arguments: DescribedPort.all)
    func aPortIsWhatTheServerTells(described: DescribedPort) {
        #expect(described.portKind == described.kind, "\(described.source)")
    }

    @Test("A device about which nothing is known is a speaker or a microphone")
    func aDeviceWithoutFactsIsSpeakerOrMicrophone() {
        #expect(DescribedPort(device: "", source: "", kind: SERVER_SPEAKER, api: nil).portKind == SERVER_SPEAKER)
        #expect(
            DescribedPort(device: "", source: "", kind: SERVER_MICROPHONE, isInput: true, api: nil).portKind == SERVER_MICROPHONE)
    }

    @Test(
        "The name of a profile says whether it plays music or is a call",
        arguments: [
            ("a2dp-sink", BLUETOOTH_MUSIC), ("a2dp_sink_ldac", BLUETOOTH_MUSIC), ("asha-sink", BLUETOOTH_MUSIC),
            ("headset-head-unit-msbc", BLUETOOTH_CALL), ("handsfree_head_unit", BLUETOOTH_CALL), ("off", BLUETOOTH_OTHER),
            ("a2dp-source", BLUETOOTH_OTHER), ("audio-gateway", BLUETOOTH_OTHER), ("headset_audio_gateway", BLUETOOTH_OTHER),
        ])
    func aProfileIsMusicOrACall(name: String, link: bluetooth_link) {
        #expect(link_of_profile(name) == link)
        #expect(link_of_profile(nil) == BLUETOOTH_OTHER)
    }
}
