/// How the porting tool tells the plugin, which reads a target's own files, that copies of them are compiled.
package enum PortedSources {
    /// The environment variable that is set while it does.
    package static let variable = "OPENCOREDATA_PORTED_SOURCES"
}
