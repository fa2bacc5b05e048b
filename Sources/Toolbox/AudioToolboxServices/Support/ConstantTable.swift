// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// The names of constants of the public headers, for the log. A line has the four characters or the number of a value, and
/// the name without the prefix. Each table is one text, because an array of texts would need a relocation for each name.
struct ConstantTable: Sendable {
    private let prefix: StaticString
    private let lines: StaticString

    private init(_ prefix: StaticString, _ lines: StaticString) {
        self.prefix = prefix
        self.lines = lines
    }

    /// Nil for a value without a name.
    func name(_ value: Int32) -> String? {
        let key = Array(ConstantTable.text(value).utf8) + [0x20]
        return lines.withUTF8Buffer { bytes in
            for line in bytes.split(separator: 0x0A) where line.starts(with: key) {
                return "\(prefix)" + String(decoding: line.dropFirst(key.count), as: UTF8.self)
            }
            return nil
        }
    }

    /// The four characters of a value if they can be printed, else the number.
    private static func text(_ value: Int32) -> String {
        let code = FourCC.text(UInt32(bitPattern: value))
        return code.utf8.first == 0x27 ? String(decoding: Array(code.utf8.dropFirst().dropLast()), as: UTF8.self) : "\(value)"
    }
}

// MARK: Properties

extension ConstantTable {
    static let converterProperties = ConstantTable(
        "kAudioConverter",
        """
        mibs PropertyMinimumInputBufferSize
        mobs PropertyMinimumOutputBufferSize
        xibs PropertyMaximumInputBufferSize
        xips PropertyMaximumInputPacketSize
        xops PropertyMaximumOutputPacketSize
        cibs PropertyCalculateInputBufferSize
        cobs PropertyCalculateOutputBufferSize
        icdp PropertyInputCodecParameters
        ocdp PropertyOutputCodecParameters
        srci SampleRateConverterAlgorithm
        srca SampleRateConverterComplexity
        srcq SampleRateConverterQuality
        srcp SampleRateConverterInitialPhase
        cdqu CodecQuality
        prmm PrimeMethod
        prim PrimeInfo
        chmp ChannelMap
        dmgc DecompressionMagicCookie
        cmgc CompressionMagicCookie
        brat EncodeBitRate
        ajsr EncodeAdjustableSampleRate
        icl  InputChannelLayout
        ocl  OutputChannelLayout
        aebr ApplicableEncodeBitRates
        vebr AvailableEncodeBitRates
        aesr ApplicableEncodeSampleRates
        vesr AvailableEncodeSampleRates
        aecl AvailableEncodeChannelLayoutTags
        acod CurrentOutputStreamDescription
        acid CurrentInputStreamDescription
        acps PropertySettings
        acbd PropertyBitDepthHint
        flst PropertyFormatList
        crfi PropertyCanResumeFromInterruption
        """)

    static let fileProperties = ConstantTable(
        "kAudioFileProperty",
        """
        ffmt FileFormat
        dfmt DataFormat
        optm IsOptimized
        mgic MagicCookieData
        bcnt AudioDataByteCount
        pcnt AudioDataPacketCount
        psze MaximumPacketSize
        doff DataOffset
        cmap ChannelLayout
        dszu DeferSizeUpdates
        fnme DataFormatName
        mkls MarkerList
        rgls RegionList
        pkfr PacketToFrame
        frpk FrameToPacket
        pkby PacketToByte
        bypk ByteToPacket
        chid ChunkIDs
        info InfoDictionary
        pnfo PacketTableInfo
        flst FormatList
        pkub PacketSizeUpperBound
        rsrv ReserveDuration
        edur EstimatedDuration
        brat BitRate
        id3t ID3Tag
        sbtd SourceBitDepth
        aart AlbumArtwork
        atct AudioTrackCount
        uatk UseAudioTrack
        """)

    static let streamProperties = ConstantTable(
        "kAudioFileStreamProperty_",
        """
        redy ReadyToProducePackets
        ffmt FileFormat
        dfmt DataFormat
        flst FormatList
        mgic MagicCookieData
        bcnt AudioDataByteCount
        pcnt AudioDataPacketCount
        psze MaximumPacketSize
        doff DataOffset
        cmap ChannelLayout
        pkfr PacketToFrame
        frpk FrameToPacket
        pkby PacketToByte
        bypk ByteToPacket
        pnfo PacketTableInfo
        pkub PacketSizeUpperBound
        abpp AverageBytesPerPacket
        brat BitRate
        info InfoDictionary
        """)

    static let globalFacts = ConstantTable(
        "kAudioFileGlobalInfo_",
        """
        afrf ReadableTypes
        afwf WritableTypes
        ftnm FileTypeName
        sdid AvailableStreamDescriptionsForFormat
        fmid AvailableFormatIDs
        alxt AllExtensions
        ahfs AllHFSTypeCodes
        auti AllUTIs
        amim AllMIMETypes
        fext ExtensionsForType
        fhfs HFSTypeCodesForType
        futi UTIsForType
        fmim MIMETypesForType
        tmim TypesForMIMEType
        tuti TypesForUTI
        thfs TypesForHFSTypeCode
        text TypesForExtension
        """)

    static let extendedFileProperties = ConstantTable(
        "kExtAudioFileProperty_",
        """
        ffmt FileDataFormat
        fclo FileChannelLayout
        cfmt ClientDataFormat
        cclo ClientChannelLayout
        cman CodecManufacturer
        acnv AudioConverter
        afil AudioFile
        fmps FileMaxPacketSize
        cmps ClientMaxPacketSize
        #frm FileLengthFrames
        accf ConverterConfig
        iobs IOBufferSizeBytes
        iobf IOBuffer
        xpti PacketTable
        """)

    static let formatProperties = ConstantTable(
        "kAudioFormatProperty_",
        """
        fmti FormatInfo
        fnam FormatName
        acof EncodeFormatIDs
        acif DecodeFormatIDs
        flst FormatList
        essd ASBDFromESDS
        escl ChannelLayoutFromESDS
        ofls OutputFormatList
        fpfl FirstPlayableFormatFromList
        fvbr FormatIsVBR
        fexf FormatIsExternallyFramed
        cryp FormatIsEncrypted
        aven Encoders
        avde Decoders
        aebr AvailableEncodeBitRates
        aesr AvailableEncodeSampleRates
        aecl AvailableEncodeChannelLayoutTags
        avnc AvailableEncodeNumberChannels
        admp ASBDFromMPEGPacket
        bmtg BitmapForLayoutTag
        mmap MatrixMixMap
        chmp ChannelMap
        nchm NumberOfChannelsForLayout
        cheq AreChannelLayoutsEquivalent
        chha ChannelLayoutHash
        vacl ValidateChannelLayout
        cmpl ChannelLayoutForTag
        cmpt TagForChannelLayout
        lonm ChannelLayoutName
        lsnm ChannelLayoutSimpleName
        cmpb ChannelLayoutForBitmap
        cnam ChannelName
        csnm ChannelShortName
        tagc TagsForNumberOfChannels
        panm PanningMatrix
        balf BalanceFade
        id3s ID3TagSize
        id3d ID3TagToDictionary
        hwcc HardwareCodecCapabilities
        """)

    static let queueProperties = ConstantTable(
        "kAudioQueue",
        """
        aqrn Property_IsRunning
        aqsr DeviceProperty_SampleRate
        aqdc DeviceProperty_NumberChannels
        aqcd Property_CurrentDevice
        aqmc Property_MagicCookie
        xops Property_MaximumOutputPacketSize
        aqft Property_StreamDescription
        aqcl Property_ChannelLayout
        aqme Property_EnableLevelMetering
        aqmv Property_CurrentLevelMeter
        aqmd Property_CurrentLevelMeterDB
        dcbf Property_DecodeBufferSizeFrames
        qcve Property_ConverterError
        q_tp Property_EnableTimePitch
        qtpa Property_TimePitchAlgorithm
        qtpb Property_TimePitchBypass
        aqcp Property_HardwareCodecPolicy
        aqca Property_ChannelAssignments
        """)
}

// MARK: Results

extension ConstantTable {
    static let queueResults = ConstantTable(
        "kAudioQueueErr_",
        """
        -66687 InvalidBuffer
        -66686 BufferEmpty
        -66685 DisposalPending
        -66684 InvalidProperty
        -66683 InvalidPropertySize
        -66682 InvalidParameter
        -66681 CannotStart
        -66680 InvalidDevice
        -66679 BufferInQueue
        -66678 InvalidRunState
        -66677 InvalidQueueType
        -66676 Permissions
        -66675 InvalidPropertyValue
        -66674 PrimeTimedOut
        -66673 CodecNotFound
        -66672 InvalidCodecAccess
        -66671 QueueInvalidated
        -66670 TooManyTaps
        -66669 InvalidTapContext
        -66668 RecordUnderrun
        -66667 InvalidTapType
        -66666 BufferEnqueuedTwice
        -66665 CannotStartYet
        -66632 EnqueueDuringReset
        -66626 InvalidOfflineMode
        """)

    static let converterResults = ConstantTable(
        "kAudioConverterErr_",
        """
        fmt? FormatNotSupported
        op?? OperationNotSupported
        prop PropertyNotSupported
        insz InvalidInputSize
        otsz InvalidOutputSize
        what UnspecifiedError
        !siz BadPropertySizeError
        !pkd RequiresPacketDescriptionsError
        !isr InputSampleRateOutOfRange
        !osr OutputSampleRateOutOfRange
        hwiu HardwareInUse
        perm NoHardwarePermission
        """)

    static let fileResults = ConstantTable(
        "kAudioFile",
        """
        wht? UnspecifiedError
        typ? UnsupportedFileTypeError
        fmt? UnsupportedDataFormatError
        pty? UnsupportedPropertyError
        !siz BadPropertySizeError
        prm? PermissionsError
        optm NotOptimizedError
        chk? InvalidChunkError
        off? DoesNotAllow64BitDataSizeError
        pck? InvalidPacketOffsetError
        dta? InvalidFileError
        op?? OperationNotSupportedError
        -38 NotOpenError
        -39 EndOfFileError
        -40 PositionError
        -43 FileNotFoundError
        """)

    static let extendedFileResults = ConstantTable(
        "kExtAudioFileError_",
        """
        -66561 InvalidProperty
        -66562 InvalidPropertySize
        -66563 NonPCMClientFormat
        -66564 InvalidChannelMap
        -66565 InvalidOperationOrder
        -66566 InvalidDataFormat
        -66567 MaxPacketSizeUnknown
        -66568 InvalidSeek
        -66569 AsyncWriteTooLarge
        -66570 AsyncWriteBufferOverflow
        -66559 CodecUnavailableInputConsumed
        -66560 CodecUnavailableInputNotConsumed
        """)

    static let streamResults = ConstantTable(
        "kAudioFileStreamError_",
        """
        typ? UnsupportedFileType
        fmt? UnsupportedDataFormat
        pty? UnsupportedProperty
        !siz BadPropertySize
        optm NotOptimized
        pck? InvalidPacketOffset
        dta? InvalidFile
        unk? ValueUnknown
        more DataUnavailable
        nope IllegalOperation
        wht? UnspecifiedError
        dsc! DiscontinuityCantRecover
        """)

    static let graphResults = ConstantTable(
        "kAUGraphErr_",
        """
        -10860 NodeNotFound
        -10861 InvalidConnection
        -10862 OutputNodeErr
        -10863 CannotDoInCurrentContext
        -10864 InvalidAudioUnit
        """)

    static let formatResults = ConstantTable(
        "kAudioFormat",
        """
        what UnspecifiedError
        prop UnsupportedPropertyError
        !siz BadPropertySizeError
        !spc BadSpecifierSizeError
        fmt? UnsupportedDataFormatError
        !fmt UnknownFormatError
        """)

    static let sessionResults = ConstantTable(
        "kAudioSession",
        """
        !ini NotInitialized
        init AlreadyInitialized
        ini? InitializationError
        pty? UnsupportedPropertyError
        !siz BadPropertySizeError
        !act NotActiveError
        ?cat NoCategorySet
        !cat IncompatibleCategory
        what UnspecifiedError
        """)

    static let soundResults = ConstantTable(
        "kAudioServices",
        """
        -1500 SystemSoundUnspecifiedError
        -1501 SystemSoundClientTimedOutError
        -1502 SystemSoundExceededMaximumDurationError
        pty? UnsupportedPropertyError
        !siz BadPropertySizeError
        !spc BadSpecifierSizeError
        """)

    static let generalResults = ConstantTable(
        "kAudio_",
        """
        -4 UnimplementedError
        -43 FileNotFoundError
        -50 ParamError
        -108 MemFullError
        """)
}
