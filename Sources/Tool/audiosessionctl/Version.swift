// SPDX-License-Identifier: Apache-2.0
import CEngineTable

enum Version {
    static var text: String { String(String(cString: project_version()).prefix { $0 != "\n" }) }
}
