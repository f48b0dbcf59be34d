import Foundation
import ManagedObjectModel
import Testing

@Suite("Digests are those of FIPS 180-4")
struct DigestTests {
    @Test(
        "SHA-256 and SHA-512 of the standard's messages",
        arguments: [
            (
                "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
            (
                "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                    + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
            ),
        ])
    func standardMessages(message: String, sha256: String, sha512: String) {
        #expect(hexadecimal(SHA2.sha256(Data(message.utf8))) == sha256)
        #expect(hexadecimal(SHA2.sha512(Data(message.utf8))) == sha512)
    }

    @Test("Messages of every length around a block differ in their digests")
    func lengths() {
        let messages = (0..<300).map { Data(repeating: 7, count: $0) }
        #expect(Set(messages.map(SHA2.sha256)).count == 300)
        #expect(Set(messages.map(SHA2.sha512)).count == 300)
    }

    private func hexadecimal(_ data: Data) -> String {
        data.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
