/// The version of Apple's framework whose files this package writes: that of iOS 17 and macOS 14.
public let NSCoreDataVersionNumber: Double = 1340

// Those of earlier systems (Apple: CoreDataDefines), for programs that compare with one.

/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_10: Double = 526.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_10_2: Double = 526.1
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_10_3: Double = 526.2
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_11: Double = 640.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_11_3: Double = 641.3
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_4: Double = 46.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_4_3: Double = 77.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_5: Double = 185.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_5_3: Double = 186.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_6: Double = 246.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_6_2: Double = 250.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_6_3: Double = 251.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_7: Double = 358.4
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_7_2: Double = 358.12
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_7_3: Double = 358.13
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_7_4: Double = 358.14
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_8: Double = 407.5
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_8_2: Double = 407.7
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_9: Double = 481.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_9_2: Double = 481.1
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber10_9_3: Double = 481.3
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_3_0: Double = 241.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_3_1: Double = 248.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_3_2: Double = 310.2
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_4_0: Double = 320.5
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_4_1: Double = 320.11
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_4_2: Double = 320.15
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_4_3: Double = 320.17
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_5_0: Double = 386.1
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_5_1: Double = 386.5
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_6_0: Double = 419.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_6_1: Double = 419.1
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_7_0: Double = 479.1
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_7_1: Double = 479.3
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_8_0: Double = 519.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_8_3: Double = 519.15
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_9_0: Double = 640.0
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_9_2: Double = 641.4
/// See ``NSCoreDataVersionNumber``.
public let NSCoreDataVersionNumber_iPhoneOS_9_3: Double = 641.6
