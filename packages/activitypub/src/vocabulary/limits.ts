/** Limits of remote documents. Longer texts are cut and further entries are left out without an error, unless noted. */

export const limits = {
  /** Bytes of a document. A larger document is refused. */
  documentBytes: 1_048_576,
  /** Levels of nesting of a document. A document with deeper nesting is refused. */
  depth: 64,
  /** Values in a document. A document with more values is refused. */
  values: 100_000,
  /** Entries of `to` and of `cc`. */
  addresses: 1000,
  /** Objects in one Create, which may contain several votes. */
  objectsOfCreate: 50,
  /** Accounts and statuses in one report. */
  objectsOfFlag: 100,
  /** Entries of `tag` that are parsed, and tags of each type that are kept. */
  tags: 1000,
  tagsOfKind: 100,
  /** Entries of `attachment` that are parsed, and media that are kept. */
  attachmentEntries: 100,
  attachments: 4,
  /** Options of a poll, and characters of one. Further numbers of texts are characters (UTF-16 units) too. */
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
  /** Entries of a language map that are parsed. */
  languages: 50,
  collectionItems: 1000,
} as const
