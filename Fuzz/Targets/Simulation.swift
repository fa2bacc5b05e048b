// SPDX-License-Identifier: Apache-2.0
#if FUZZING
    import AudioHardware
    @testable import SimulatedHardware

    /// One line of the simulation language.
    @c(fuzz_command) public func fuzzCommand(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        var input = Input(bytes, count)
        do throws(SimulationCommand.Malformed) {
            let command = try SimulationCommand(input.text(upTo: 0))
            if case .hardware(let change) = command {
                var machine = SimulatedMachine()
                machine.apply(change)
                return isKept(machine)
            }
            return true
        } catch {
            return !error.text.isEmpty
        }
    }

    /// A file that describes the machine.
    @c(fuzz_machine) public func fuzzMachine(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        var input = Input(bytes, count)
        do throws(SimulatedMachine.Malformed) { return isKept(try SimulatedMachine(text: input.text(upTo: 0))) } catch {
            return error.line > 0 && !error.text.isEmpty
        }
    }

    /// A machine that is written to the file reads back as the same machine, and its ports answer.
    private func isKept(_ machine: SimulatedMachine) -> Bool {
        for device in machine.devices {
            for port in machine.ports(of: device, arrival: 1) {
                _ = grantedFormat(of: port, sampleRate: Double(machine.volume) * 1e6, bufferDuration: machine.volume)
            }
        }
        do throws(SimulatedMachine.Malformed) { return try SimulatedMachine(text: machine.text) == machine } catch {
            return false
        }
    }
#endif
