/** A mail before it is written: what it says, in paragraphs, and the one thing to do. */

export interface MailText {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** A quoted text, shown apart from our own text. */
  readonly quotes?: readonly { readonly title: string; readonly text: string; readonly href: string | null }[]
  readonly button?: { readonly label: string; readonly href: string } | undefined
  /** Below everything, in small print. */
  readonly after?: readonly string[]
}

/** Values that texts of e-mails may contain. */
export interface MailFacts {
  /** Name of this server in sentences. */
  readonly site: string
  /** Handle of the reader, with `@`. */
  readonly handle: string
  readonly facts: Readonly<Record<string, string>>
}

/** One line of a header: no breaks, no control characters, not too long (D068). */
export const headerText = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 250)
