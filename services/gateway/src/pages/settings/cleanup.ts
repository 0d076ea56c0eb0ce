/** Settings page of automated post deletion: age threshold and exceptions. */
import { Cleanup, changeCleanup, showCleanup } from '@murmuration/contracts/statuses'
import { type Message, msg } from '@murmuration/messages'
import { checkbox, select } from '../core/choice.js'
import { type Html, html } from '../core/html.js'
import { labels, t } from '../core/language.js'
import { fieldOf, panel, type Settings, type SettingsContext } from '../core/settings-frame.js'

const HERE = '/statuses_cleanup'

/** Ages at which posts can be deleted: number of days, and label. */
const AGES: readonly (readonly [string, Message])[] = [
  ['7', msg('1 week')],
  ['14', msg('2 weeks')],
  ['30', msg('1 month')],
  ['61', msg('2 months')],
  ['91', msg('3 months')],
  ['182', msg('6 months')],
  ['365', msg('1 year')],
  ['730', msg('2 years')],
]

const number = (name: string, label: string, now: number | null): Html =>
  html`<label for="${name}">${label}</label><input id="${name}" type="number" name="${name}" min="1" max="1000000" value="${now ?? ''}">`

const formOf = (now: Cleanup, csrfField: Html): Html => html`<form method="post" action="${HERE}">${csrfField}
${panel(
  t('Posts to delete'),
  html`<p>${t('Your posts and boosts are deleted automatically once they are older than this, a few at a time. Other servers are asked to delete their copies. Deleted posts cannot be restored.')}</p>
${checkbox('enabled', t('Automatically delete my old posts'), now.enabled)}
${select('age', t('Age threshold'), labels(AGES), String(now.age))}`,
)}${panel(
  t('Exceptions'),
  html`${checkbox('keep_pinned', t('Pinned posts'), now.keepPinned)}
${checkbox('keep_direct', t('Direct messages'), now.keepDirect)}
${checkbox('keep_polls', t('Polls'), now.keepPolls)}
${checkbox('keep_media', t('Posts with pictures, videos or sounds'), now.keepMedia)}
${checkbox('keep_own_favourites', t('Posts that I favourited myself'), now.keepOwnFavourites)}
${checkbox('keep_own_bookmarks', t('Posts that I bookmarked'), now.keepOwnBookmarks)}`,
)}${panel(
  t('Exceptions based on interactions'),
  html`${number('least_favourites', t('Keep posts favourited at least'), now.leastFavourites)}
${number('least_reblogs', t('Keep posts boosted at least'), now.leastReblogs)}
<p class="muted small">${t('Leave a field empty to delete posts however often they were favourited or boosted.')}</p>`,
)}<button type="submit">${t('Save')}</button></form>`

const show = async ({ ctx, user, csrfField, show: write }: SettingsContext, problem?: string): Promise<void> => {
  const now = await ctx.call(showCleanup, { account: user.viewer.id })
  write({ title: t('Automated post deletion'), ...(problem ? { problem } : {}), body: formOf(now, csrfField) })
}

/** Reads the settings for post deletion in a form. A missing checkbox is false. */
const cleanupIn = (form: Readonly<Record<string, unknown>>) => {
  const isTicked = (name: string) => fieldOf(form, name) === '1'
  const numberIn = (name: string) => {
    const text = fieldOf(form, name).trim()
    return text === '' ? null : /^\d{1,7}$/.test(text) ? Number(text) : text
  }
  return Cleanup.safeParse({
    enabled: isTicked('enabled'),
    age: numberIn('age'),
    keepPinned: isTicked('keep_pinned'),
    keepDirect: isTicked('keep_direct'),
    keepPolls: isTicked('keep_polls'),
    keepMedia: isTicked('keep_media'),
    keepOwnFavourites: isTicked('keep_own_favourites'),
    keepOwnBookmarks: isTicked('keep_own_bookmarks'),
    leastFavourites: numberIn('least_favourites'),
    leastReblogs: numberIn('least_reblogs'),
  })
}

export const addCleanup = (settings: Settings): void => {
  settings.add('get', HERE, 'cleanup', (context) => show(context))
  settings.add('post', HERE, 'cleanup', async (context, form) => {
    const { data: wanted } = cleanupIn(form)
    if (!wanted) return show(context, t('Choose one of the listed values.'))
    await context.ctx.call(changeCleanup, { account: context.user.viewer.id, ...wanted })
    context.done(HERE, t('Saved.'))
  })
}
