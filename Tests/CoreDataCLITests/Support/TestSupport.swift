// Every file of these tests sees what is exported here.
@_exported import TestSupport
