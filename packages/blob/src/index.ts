/** Stores blobs on disk or in an S3 bucket behind one interface. */

export { deleteMost } from './delete-most.js'
export { BlobError, type BlobErrorCode } from './errors.js'
export { checkKey, newKey, stagingPrefix } from './key.js'
export { type BlobOptions, createBlobStore, type DiskOptions } from './open.js'
export { type ParsedRange, parseRange } from './range.js'
export type { S3Options } from './s3.js'
export type { Blob, BlobHead, BlobPage, BlobStore, ByteRange, PutOptions, PutResult, SweepResult } from './store.js'
