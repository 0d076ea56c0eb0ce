/** Limits of remote documents. Anything beyond a limit is cut or left out without an error, unless noted. */

export const limits = {
  /** Bytes of a document; more is refused. */
  documentBytes: 1_048_576,
  /** Nesting of a document; deeper is refused. */
  depth: 64,
  /** Values in a document; more is refused. */
  values: 100_000,
  /** Entries of `to` and of `cc`. */
  addresses: 1000,
  /** Objects in one Create: votes travel together. */
  objectsOfCreate: 50,
  /** Accounts and statuses in one report. */
  objectsOfFlag: 100,
  /** Entries of `tag` that are looked at, and how many of each kind are kept. */
  tags: 1000,
  tagsOfKind: 100,
  /** Entries of `attachment` that are looked at, and media that are kept. */
  attachmentEntries: 100,
  attachments: 4,
  pollOptions: 500,
  pollOption: 500,
  html: 200_000,
  /** Content warnings and titles. */
  line: 2048,
  altText: 10_000,
  comment: 5000,
  displayName: 2048,
  bio: 20_480,
  fields: 50,
  field: 2047,
  username: 2048,
  aliases: 256,
  keys: 10,
  shortcode: 2048,
  /** Languages looked at in a content map. */
  languages: 50,
  collectionItems: 1000,
} as const
