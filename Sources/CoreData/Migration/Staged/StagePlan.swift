import ManagedObjectModel

/// The way that a store takes through the stages of a staged migration, by version checksums alone.
///
/// Apple's documentation says that stages come in the order in which they are given, and little more. What a plan may look
/// like is known from Apple's session "What's new in Core Data" (2023), whose sample is a lightweight stage with version 1
/// and a custom one from 2 to 3: versions between which no stage stands are bridged by a lightweight migration.
struct StagePlan {
    /// One step on the way.
    enum Step {
        /// A lightweight migration to the version, by way of those between where it can't be done at once.
        case bring(to: String, through: [String], for: NSMigrationStage)
        /// A custom stage, whose first model the store has.
        case perform(NSCustomMigrationStage)
    }

    /// Where in the plan a version stands.
    private struct Place: Comparable {
        var stage: Int
        var index: Int

        static func < (left: Place, right: Place) -> Bool {
            (left.stage, left.index) < (right.stage, right.index)
        }
    }

    private(set) var steps: [Step] = []

    /// - Throws: `NSManagedObjectModelReferenceNotFoundError` (134504, as seen on Apple's systems) where no stage has one of
    ///   the versions; `NSStagedMigrationBackwardMigrationError` where the wanted one comes first.
    init(_ stages: [NSMigrationStage], from present: String, to wanted: String) throws {
        let versions = try stages.map(Self.versions)
        func positions(of checksum: String) -> [Place] {
            versions.enumerated().flatMap { stage, list in
                list.indices.filter { list[$0] == checksum }.map { Place(stage: stage, index: $0) }
            }
        }
        guard let begin = positions(of: present).last else {
            throw Self.unknown(present, "the store's model", versions)
        }
        guard let last = positions(of: wanted).last else {
            throw Self.unknown(wanted, "the coordinator's model", versions)
        }
        guard last > begin else {
            throw MigrationError.make(
                "A store can't be migrated backward by stages: its model's version checksum, \(present), comes after the "
                    + "coordinator's, \(wanted).", code: NSStagedMigrationBackwardMigrationError)
        }
        var current = present
        for place in begin.stage...last.stage where current != wanted {
            let list = versions[place]
            // The first stage is gone into where the store stands, all others at their beginning.
            var left = Array(place == begin.stage ? list[(begin.index + 1)...] : list[...])
            if let end = left.firstIndex(of: wanted) { left.removeSubrange((end + 1)...) }
            guard let next = left.last else { continue }
            if let stage = stages[place] as? NSCustomMigrationStage {
                let first = stage.currentModel.versionChecksum
                let former = place > begin.stage ? stages[place - 1] as? NSLightweightMigrationStage : nil
                if current != first { bring(to: first, through: [], for: former ?? stage) }
                if left.contains(stage.nextModel.versionChecksum) { steps.append(.perform(stage)) }
            } else if next != current {
                bring(to: next, through: left.dropLast().filter { $0 != current }, for: stages[place])
            }
            current = next
        }
    }

    /// Lightweight stages that follow each other are one migration, as they are to Apple's framework. It has the label of the
    /// first: in Apple's sample the stage with version 1 alone is called "V1 to V2".
    private mutating func bring(to checksum: String, through between: [String], for stage: NSMigrationStage) {
        guard case .bring(let former, let before, let first)? = steps.last else {
            return steps.append(.bring(to: checksum, through: between, for: stage))
        }
        steps[steps.count - 1] = .bring(to: checksum, through: before + [former] + between, for: first)
    }

    /// The versions of a stage, oldest first.
    private static func versions(of stage: NSMigrationStage) throws -> [String] {
        switch stage {
        case let stage as NSLightweightMigrationStage: stage.versionChecksums
        case let stage as NSCustomMigrationStage:
            [stage.currentModel.versionChecksum, stage.nextModel.versionChecksum]
        default: throw MigrationError.make("The stage \(stage.name) is neither a lightweight nor a custom one.")
        }
    }

    private static func unknown(_ checksum: String, _ whose: String, _ versions: [[String]]) -> NSError {
        let known = versions.map { "[\($0.joined(separator: ", "))]" }.joined(separator: ", ")
        return MigrationError.make(
            "No stage has \(whose), whose version checksum is \(checksum). The stages are for \(known). Add one with it; "
                + "`coredata model` and NSManagedObjectModel.versionChecksum tell checksums.",
            code: NSManagedObjectModelReferenceNotFoundError)
    }
}
