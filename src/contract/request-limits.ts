// Limits of a request that the contract does not show: fixed, as only bytes notice them (docs/limits.md).

/** How deeply a request body may be nested. */
export const maxBodyDepth = 64

/** How deeply metadata may be nested. */
export const maxMetadataDepth = 32

/** The size of metadata as compact JSON, in bytes. */
export const maxMetadataBytes = 16_384
