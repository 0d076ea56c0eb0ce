/** A mail before it is written: what it says, in paragraphs, and the one thing to do. */
import type { Arguments, Literal } from '@murmuration/messages'

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

/** Own words of an e-mail; `button` names what its link does. */
export interface MailPartText {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly button?: string
}

export type MailPart = (facts: MailFacts) => MailPartText

/** Translates a message of the catalogue for the reader of an e-mail. */
export type Translate = <const Text extends string>(message: Literal<Text>, args?: Arguments) => string

/** One line of a header: no breaks, no control characters, not too long (D068). */
export const headerText = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 250)
