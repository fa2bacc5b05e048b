// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionModel

extension SystemError {
    /// The error of a stream whose session cannot be activated.
    init(_ refusal: ResultCode) {
        self =
            switch refusal {
            case .notActive: .busy
            case .noHardware: .noDevice
            case .incompatibleCategory: .notPermitted
            default: .failed
            }
    }
}
