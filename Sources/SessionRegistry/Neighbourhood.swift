import CLinux
import LinuxSystem
import SessionArbiter
import SessionModel

// Deaths are events: each process watches a few others, and whoever sees one die clears up after it.
extension SharedRegistry {
    static let mostNeighbours = 8

    /// Clears away the dead, and looks for others to watch, until all that are watched live.
    func attend(_ dead: [UInt64]) {
        var dead = dead
        repeat {
            let gone = dead
            guard inTable({ $0.bury(gone) }) != nil else { return }
            dead = isAlone ? [] : chooseNeighbours()
        } while !dead.isEmpty
    }

    /// Returns those who turned out to be dead.
    func chooseNeighbours() -> [UInt64] {
        let wanted = homesToWatch()
        neighbours = neighbours.filter { wanted.contains($0.home) }
        var dead: [UInt64] = []
        for home in wanted where !neighbours.contains(where: { $0.home == home }) {
            if let neighbour = Neighbour.watched(home, in: directory, by: events.number) {
                neighbours.append(neighbour)
            } else if copy.isDead(home, in: directory) {
                dead.append(home)
            }
        }
        return dead
    }

    /// The next two, so that everybody is watched by two; then those whose end this process waits for.
    private func homesToWatch() -> [UInt64] {
        if copy.hasNewPopulation { successors = findSuccessors() }
        copy.hasNewPopulation = false
        var wanted = successors
        func want(_ other: UInt64?) {
            guard let other, other != home.id, !wanted.contains(other), wanted.count < SharedRegistry.mostNeighbours else {
                return
            }
            wanted.append(other)
        }
        if let holder = copy.table.call?.holder { want(copy.home(of: holder)) }
        for session in own {
            guard let entry = copy.table[session.slot] else { continue }
            for slot in entry.interrupters { want(copy.home(of: slot)) }
        }
        for slot in copy.table.entries.indices {
            guard let entry = copy.table[slot], entry.isActive else { continue }
            if entry.policy.ducks || entry.policy.category == .recordAudio { want(copy.home(of: slot)) }
        }
        return wanted
    }

    private func findSuccessors() -> [UInt64] {
        let homes = copy.homesInOrder
        guard let place = homes.firstIndex(of: home.id) else { return [] }
        return (1...2).map { homes[(place + $0) % homes.count] }.filter { $0 != home.id }
    }

    /// The two who are to watch a newcomer.
    func predecessors() -> [UInt64] {
        let homes = copy.homesInOrder
        guard let place = homes.firstIndex(of: home.id), homes.count > 1 else { return [] }
        return [homes[(place + homes.count - 1) % homes.count], homes[(place + homes.count - 2 + homes.count) % homes.count]]
    }

    /// The folder or this process's place in it is gone: makes both again. False when that fails.
    func rehouse() -> Bool {
        do throws(RuntimeDirectory.Unusable) { _ = try RuntimeDirectory(directory.path) } catch {
            Log.line(error.text)
            return false
        }
        do throws(SystemError) {
            // Once more where it was taken away again before it was watched: that would never be noticed.
            var attempts = 8
            while attempts > 0, !home.isThere {
                attempts -= 1
                let new = try Home.made(in: directory, as: SharedRegistry.newHome())
                former.append(home)
                home = new
                listen()
            }
            return true
        } catch {
            Log.line("\(directory.path): \(error.text)")
            return false
        }
    }
}

extension TableCopy {
    /// Nobody lives there any more. Where only the bell's name is gone, the process may be about to
    /// make it again: then its number tells, where it means the same here.
    func isDead(_ home: UInt64, in directory: RuntimeDirectory) -> Bool {
        switch Home.state(of: home, in: directory) {
        case .lived: false
        case .deserted: true
        case .nameless: !(process(of: home)?.isRunning ?? false)
        }
    }

    /// Takes a few microseconds for each home: best asked without the lock. Who is dead stays dead.
    func dead(in directory: RuntimeDirectory, sparing own: UInt64) -> [UInt64] {
        homesInOrder.filter { $0 != own && isDead($0, in: directory) }
    }

    private func process(of home: UInt64) -> ProcessIdentity? {
        for slot in table.entries.indices where self.home(of: slot) == home { return table[slot]?.process }
        return nil
    }

    /// Every process once, in the order of the slots.
    var homesInOrder: [UInt64] {
        var homes: [UInt64] = []
        var met: Set<UInt64> = []
        for home in self.homes where home != 0 && met.insert(home).inserted { homes.append(home) }
        return homes
    }
}
