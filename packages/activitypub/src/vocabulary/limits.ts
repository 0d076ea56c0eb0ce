/** Limits of remote documents. Longer texts are cut and further entries are left out without an error, unless noted. */

export const limits = {
  /** Maximum number of bytes of a document. A larger document is refused. */
  documentBytes: 1_048_576,
  /** Maximum nesting depth of a document. A document with deeper nesting is refused. */
  depth: 64,
  /** Maximum number of values in a document. A document with more values is refused. */
  values: 100_000,
  /** Maximum number of entries of `to`, and of `cc`. */
  addresses: 1000,
  /** Maximum number of objects in one Create. Only a Create of votes has several objects. */
  objectsOfCreate: 50,
  /** Maximum number of accounts and statuses in one report. */
  objectsOfFlag: 100,
  /**
   * Maximum number of entries of the property `tag` that are parsed. `tagsOfKind`: maximum number of tags of each type
   * in the result.
   */
  tags: 1000,
  tagsOfKind: 100,
  /**
   * Maximum number of entries of the property `attachment` that are parsed. `attachments`: maximum number of media in
   * the result.
   */
  attachmentEntries: 100,
  attachments: 4,
  /** Maximum number of options of a poll. */
  pollOptions: 500,
  /** Maximum number of characters (UTF-16 units) of a poll option. The following limits of texts have the same unit. */
  pollOption: 500,
  html: 200_000,
  /** Maximum number of characters of a content warning or a title. */
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
  /** Maximum number of entries of a language map that are parsed. */
  languages: 50,
  collectionItems: 1000,
} as const
