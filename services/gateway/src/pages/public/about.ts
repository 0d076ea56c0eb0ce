/** About page, privacy policy and terms of service. Staff write their texts. */
import { accountMany, rolesOf } from '@murmuration/contracts/accounts'
import {
  extendedDescription,
  privacyPolicy,
  showInstance,
  termsOfServiceAt,
  termsOfServiceNow,
} from '@murmuration/contracts/admin'
import type { Account, Instance } from '@murmuration/contracts/entities'
import { dotted, type Html, html } from '../core/html.js'
import { languageNow, t } from '../core/language.js'
import { card, sendPage } from '../core/layout.js'
import { type Page, type PageRequest, type Pages, pageNotFound } from '../core/page-request.js'
import { openGraph } from '../core/parts/open-graph.js'
import { accountLink } from '../core/parts/status.js'
import { dayOf } from '../core/parts/time.js'
import { orNull, orPageNotFound } from '../core/public-data.js'
import { staffText } from '../core/rich-text.js'

const CACHE = 'max-age=300, public, stale-while-revalidate=30, stale-if-error=86400'

const rules = ({ rules: all }: Instance): Html | '' =>
  all.length === 0
    ? ''
    : html`<section class="card" id="rules"><h2>${t('Rules')}</h2><ol class="rules">${all.map(
        ({ text, hint }) =>
          html`<li><strong>${text}</strong>${hint ? html`<br><span class="muted">${hint}</span>` : ''}</li>`,
      )}</ol></section>`

/** Contact account of the server: the account in the settings, else the oldest administrator. Null if staff set only an e-mail address. */
const contactAccount = async (
  { ctx }: PageRequest,
  { contact: { email, account } }: Instance,
): Promise<Account | null> => {
  if (email || account) return account
  const staff = await orNull(ctx.call(rolesOf, { permission: 'administrator' }))
  const [oldest] = (staff?.accountIds ?? []).toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
  if (oldest === undefined) return null
  return (await orNull(ctx.call(accountMany, { id: [oldest] })))?.[0] ?? null
}

const contact = (email: string, account: Account | null, domain: string): Html | '' =>
  email || account
    ? html`<section class="card"><h2>${t('Contact')}</h2>${account ? html`<p>${accountLink(account, domain)}</p>` : ''}${email ? html`<p><a href="mailto:${email}">${email}</a></p>` : ''}</section>`
    : ''

/** Link to the source code of this software, which its licence requires (AGPL, section 13). */
const source = (version: string, address: string): Html =>
  html`<section class="card" id="source"><h2>${t('Source code')}</h2><p>${t('This server runs Murmuration{version}, free software under the {license}. {source}', { version: version && ` ${version}`, license: html`<a href="https://www.gnu.org/licenses/agpl-3.0.html">${t('GNU Affero General Public License')}</a>`, source: address ? html`${t('Its source code: {link}', { link: html`<a href="${address}">${address}</a>` })}` : html`${t('The source code is available on request.')}` })}</p></section>`

const usageLine = ({ usage, version }: Instance): Html => {
  const { active_month: active } = usage.users
  return html`<p class="muted">${dotted(
    active > 0 && t('{count, plural, one {# person} other {# people}} active in the last month', { count: active }),
    `Murmuration ${version}`,
  )}</p>`
}

const about: Page = async (request) => {
  const { ctx, res } = request
  const [instance, long, terms] = await Promise.all([
    orNull(ctx.call(showInstance, {})),
    orNull(ctx.call(extendedDescription, {})),
    orNull(ctx.call(termsOfServiceNow, {})),
  ])
  const account = instance && (await contactAccount(request, instance))
  const { site_title: title, site_short_description: short } = ctx.policy.settings()
  const { localDomain, origin } = ctx.site
  const description =
    instance?.description || short || t('A social network server at {domain}.', { domain: localDomain })
  sendPage(ctx, res, {
    title: t('About {site}', { site: title }),
    wide: true,
    ...(instance ? { cache: CACHE } : {}),
    head: openGraph({
      type: 'website',
      title: t('About {site}', { site: title }),
      description,
      url: `${origin}/about`,
      site: title,
      image: instance?.thumbnail.url ?? `${origin}/icon-512.png`,
      imageAlt: instance?.thumbnail.description,
      large: instance !== null,
    }),
    body: html`<section class="card"><h1>${t('About {site}', { site: title })}</h1><p>${description}</p>${instance ? usageLine(instance) : ''}${terms?.effective ? html`<p><a href="/terms-of-service">${t('Terms of service')}</a></p>` : ''}</section>
${long?.content ? html`<section class="card prose">${staffText(long.content)}</section>` : ''}
${instance ? html`${rules(instance)}${contact(instance.contact.email, account, localDomain)}` : ''}${source(instance?.version ?? '', ctx.common.sourceUrl)}`,
  })
}

const privacy: Page = async ({ ctx, res }) => {
  const { content, updated_at: at } = await orPageNotFound(ctx.call(privacyPolicy, { lang: languageNow() }))
  sendPage(ctx, res, {
    title: t('Privacy policy'),
    wide: true,
    cache: CACHE,
    body: card(
      t('Privacy policy'),
      html`<p class="muted">${t('Last changed on {date}', { date: dayOf(at) })}</p><div class="prose">${staffText(content)}</div>`,
    ),
  })
}

const DAY = /^\d{4}-\d\d-\d\d$/

const terms: Page = async ({ ctx, req, res }) => {
  const { date } = req.params as { date?: string }
  if (date !== undefined && !DAY.test(date)) throw pageNotFound()
  const found = await orPageNotFound(
    date === undefined ? ctx.call(termsOfServiceNow, {}) : ctx.call(termsOfServiceAt, { date }),
  )
  const day = dayOf(found.effective_date)
  const since = found.effective
    ? html`${t('In force since {day}', { day })}`
    : html`${t('In force from {day}', { day })}`
  const next = found.succeeded_by
    ? html`<p class="muted">${t('New terms take effect on {date}.', { date: dayOf(found.succeeded_by) })}</p>`
    : ''
  sendPage(ctx, res, {
    title: t('Terms of service'),
    wide: true,
    cache: CACHE,
    body: card(
      t('Terms of service'),
      html`<p class="muted">${since}</p>${next}<div class="prose">${staffText(found.content)}</div>`,
    ),
  })
}

export const addAbout = (pages: Pages): void => {
  pages.add('get', '/about', about)
  pages.add('get', '/privacy-policy', privacy)
  pages.add('get', '/terms-of-service', terms)
  pages.add('get', '/terms-of-service/:date', terms)
}
