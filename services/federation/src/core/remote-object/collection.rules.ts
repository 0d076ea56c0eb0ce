/** Converts a remote collection of accounts to the form that the accounts service stores, with plain text only. */

import type { IncomingCollectionOfAccounts } from '@murmuration/activitypub/vocabulary/read-featured-collection'
import type { RemoteCollection } from '@murmuration/contracts/accounts'
import { cleanText, htmlToPlainText } from '@murmuration/text'
import { oneLineText } from './plain-name.rules.js'

/** Maximum number of characters of the description of a collection; further characters are cut. */
const DESCRIPTION = 1_000

/**
 * Converts a collection to the form of the accounts service, without `first` and `incomplete`, because the caller has
 * fetched all items.
 */
export const remoteCollection = ({
  summaryHtml,
  name,
  first: _pages,
  incomplete: _incomplete,
  ...it
}: IncomingCollectionOfAccounts): RemoteCollection => ({
  ...it,
  name: oneLineText(name),
  description: [...cleanText(htmlToPlainText(summaryHtml)).trim()].slice(0, DESCRIPTION).join(''),
})
