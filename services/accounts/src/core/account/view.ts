/** Renders account JSON as anyone may see it, from a row. No other file renders accounts. */
import type { Account, CustomEmoji, FeatureApproval, MovedAccount } from '@murmuration/contracts'
import type { FeaturePolicy } from '@murmuration/contracts/accounts'
import type { Site } from '@murmuration/kernel'
import { displayDomain, linkHtml } from '@murmuration/text'
import type { AccountRow } from './store.js'
import { provableLink } from './verified-link.rules.js'

/** The handle for display: `bob`, or `bob@münchen.example`. */
export const acctOf = (row: Pick<AccountRow, 'username' | 'domain'>): string =>
  row.domain === null ? row.username : `${row.username}@${displayDomain(row.domain)}`

/** Returns the absolute URL of a picture. Files of this server may be stored as a path. */
const absolute = (site: Site, url: string): string => (url.startsWith('/') ? `${site.origin}${url}` : url)

const pictureOf = (site: Site, row: AccountRow, kind: 'avatar' | 'header') => {
  const picture = row.suspended ? null : row[kind]
  const missing = `${site.origin}/${kind}s/original/missing.png`
  return {
    url: picture ? absolute(site, picture.url) : missing,
    static: picture ? absolute(site, picture.static_url) : missing,
    description: row.suspended ? '' : row[`${kind}_description`],
  }
}

const remoteApproval = (policy: FeaturePolicy | null): FeatureApproval => {
  if (policy === null) return { automatic: [], manual: [], current_user: 'missing' }
  const { automatic, manual } = policy
  if (automatic.includes('public')) return { ...policy, current_user: 'automatic' }
  if (manual.includes('public')) return { ...policy, current_user: 'manual' }
  const isUnknown = [...automatic, ...manual].includes('unsupported_policy')
  return { ...policy, current_user: isUnknown ? 'unknown' : 'denied' }
}

/** The featuring policy of the account, as a signed-in viewer without a relationship to it sees it. */
const featureApproval = (row: AccountRow): FeatureApproval => {
  if (row.domain !== null && !row.suspended) return remoteApproval(row.feature_policy)
  if (!row.discoverable || row.suspended) return { automatic: [], manual: [], current_user: 'denied' }
  return row.locked
    ? { automatic: ['followers'], manual: [], current_user: 'denied' }
    : { automatic: ['public'], manual: [], current_user: 'automatic' }
}

const emojis = (row: AccountRow, site: Site): CustomEmoji[] =>
  row.emojis.map((one) => ({
    shortcode: one.shortcode,
    url: absolute(site, one.url),
    static_url: absolute(site, one.static_url),
    visible_in_picker: true,
    featured: false,
  }))

/** Profile fields as HTML. In remote profiles, the value of a verified field is replaced by HTML that contains only the verified link. */
const fieldsOf = (row: AccountRow): AccountRow['fields_html'] =>
  row.domain === null
    ? row.fields_html
    : row.fields_html.map((field) => {
        const link = field.verified_at === null ? null : provableLink(field.value, false)
        return link === null ? field : { ...field, value: linkHtml(link, { me: true }) }
      })

const midnight = (time: Date): string => `${time.toISOString().slice(0, 10)}T00:00:00.000Z`

/** Account JSON without moderation flags and without the target of a move. A suspended account has an empty profile. */
export const profileOf = (row: AccountRow, site: Site) => {
  const avatar = pictureOf(site, row, 'avatar')
  const header = pictureOf(site, row, 'header')
  const shown = !row.suspended
  return {
    id: row.id,
    username: row.username,
    acct: acctOf(row),
    display_name: shown ? row.display_name : '',
    locked: shown && row.locked,
    bot: shown && (row.type === 'Service' || row.type === 'Application'),
    group: row.type === 'Group',
    discoverable: shown ? row.discoverable : false,
    indexable: shown && row.indexable,
    created_at: midnight(row.created_at),
    note: shown ? row.note_html : '',
    url: row.url,
    uri: row.uri,
    avatar: avatar.url,
    avatar_static: avatar.static,
    avatar_description: avatar.description,
    header: header.url,
    header_static: header.static,
    header_description: header.description,
    followers_count: row.followers_count,
    following_count: row.following_count,
    statuses_count: row.statuses_count,
    last_status_at: row.last_status_at ? row.last_status_at.toISOString().slice(0, 10) : null,
    hide_collections: row.hide_collections,
    show_media: row.show_media,
    show_media_replies: row.show_media_replies,
    show_featured: row.show_featured,
    emojis: shown ? emojis(row, site) : [],
    fields: shown ? fieldsOf(row) : [],
    feature_approval: featureApproval(row),
    ...(row.domain === null ? { noindex: row.noindex, roles: shown && row.role ? [roleOf(row.role)] : [] } : {}),
  }
}

const roleOf = ({ id, name, color }: NonNullable<AccountRow['role']>) => ({ id, name, color })

const moderationOf = (row: AccountRow): Pick<MovedAccount, 'limited' | 'suspended' | 'memorial'> => ({
  ...(row.silenced ? { limited: true } : {}),
  ...(row.suspended ? { suspended: true } : {}),
  ...(row.memorial ? { memorial: true } : {}),
})

/**
 * JSON of an account that another account moved to. If the target account also moved, the target of its move is left
 * out.
 */
export const movedAccount = (row: AccountRow, site: Site): MovedAccount => ({
  ...profileOf(row, site),
  ...moderationOf(row),
})

/** An account as anyone may see it. `moved`: row of the account that it moved to, if any. */
export const accountOf = (row: AccountRow, site: Site, moved?: AccountRow): Account => ({
  ...profileOf(row, site),
  ...moderationOf(row),
  ...(moved && !row.suspended ? { moved: movedAccount(moved, site) } : {}),
})
