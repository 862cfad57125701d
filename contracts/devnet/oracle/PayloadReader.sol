// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Cursor, Reading} from "../../lib/Cursor.sol";
import {Terms, TermsReading} from "../../lib/Terms.sol";

/// Reads payloads with the Router's own libraries, and tells what it read.
contract PayloadReader {
    struct Read {
        Terms terms;
        /// The intermediate ones.
        address[] tokens;
        /// The hops, as they stand.
        bytes hops;
    }

    /// What of a payload the contract refuses, it refuses here too.
    function read(bytes calldata payload, address taker) public view returns (Read memory told) {
        Cursor memory cursor = Reading.open(payload);
        told.terms = TermsReading.readTerms(cursor, taker);
        told.tokens = new address[](cursor.integer(1));
        for (uint256 i = 0; i < told.tokens.length; i++) told.tokens[i] = cursor.account();
        told.hops = payload[payload.length - (cursor.end - cursor.position):];
    }

    function readAll(bytes[] calldata payloads, address taker) external view returns (Read[] memory told) {
        told = new Read[](payloads.length);
        for (uint256 i = 0; i < payloads.length; i++) told[i] = read(payloads[i], taker);
    }
}
