/// Keys on curves in PEM form, and a signature.
enum CurveKeys {
    /// The private key of RFC 7515, A.3, as SEC 1 has it.
    static let sec1 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSyoAoGCCqGSM49
        AwEHoUQDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEXH8UTNG72b
        focs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END EC PRIVATE KEY-----

        """

    /// The same, as it is written here.
    static let pkcs8 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjpsQnnGQmL+YBIff
        H1136cspYG6+0iY7X1fCE9+E9LKhRANCAAR/zc4ncPbEXUGDy+5v20t7WAczNXvp
        7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpGIyiFiOWt
        -----END PRIVATE KEY-----

        """

    /// Its public key.
    static let spki = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END PUBLIC KEY-----

        """

    /// A private key on P-384.
    static let otherCurve = """
        -----BEGIN EC PRIVATE KEY-----
        MIGkAgEBBDCSWOaiONBQvgCwVD5xP+MxkddMDWOf+PSuxtoOOJYgtPP7pi8wTbTi
        LkoE5fp2gaCgBwYFK4EEACKhZANiAAQYFmgPOO3RKIl3A5aon+x95+qe/sTIrqxu
        v33nTqpNBfk57pw48rqgJTYPwhHd1RguMn7POC390qLGr3RQ3wEpG0S5P5Bk4k1K
        Vaujy13erWEZ1cQIBbBHwDTxVsv7zz0=
        -----END EC PRIVATE KEY-----

        """

    /// The signature of RFC 7515, A.3.
    static let signature = bytes(
        """
        0ed1215379636c483c2f7f155807d402a3b228033af97c7e\
        17819ac3169ea665c50a07d38c3c70e5d8f12daf084a5480\
        a66590c5f293509a8f3f7f8a83a354d5
        """
    )
}
