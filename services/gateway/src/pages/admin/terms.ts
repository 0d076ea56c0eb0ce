/** Terms of service below `/admin`: all versions, and a form with preview for a new one. */
import {
  listTermsOfService,
  previewTermsOfService,
  publishTermsOfService,
  type StaffTerms,
  termsOfServiceSource,
} from '@murmuration/contracts/admin'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { dayOf, timeOf } from '../core/parts/time.js'
import { staffText } from '../core/rich-text.js'
import { lineOf, linesOf, problemOf, textIn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { badge, filtersIn, table } from './table.js'

const HERE = '/admin/terms'
const NEW = `${HERE}/new`

const stateOf = (one: StaffTerms, all: readonly StaffTerms[]): Html => {
  if (!one.effective) return badge(t('Announced'), 'warn')
  return one === all.find((each) => each.effective) ? badge(t('In force'), 'ok') : badge(t('Earlier version'))
}

const list = async (request: StaffRequest): Promise<void> => {
  const all = await request.callApi(listTermsOfService, {})
  const [latest] = all
  request.show({
    title: t('Terms of service'),
    current: 'terms',
    body: html`<p class="muted">${t('Published terms cannot be changed. A new version takes effect on its own date, and account holders get an e-mail about it.')}</p><p class="acts"><a class="button" href="${latest ? `${NEW}?from=${latest.effective_date}` : NEW}">${t('New version')}</a></p>${table(
      t('Terms of service'),
      [t('In force from'), t('State'), t('Published'), ''],
      all.map((one) => [
        html`<a href="/terms-of-service/${one.effective_date}"><b>${dayOf(one.effective_date)}</b></a>`,
        stateOf(one, all),
        timeOf(one.published_at),
        html`<a class="button quiet" href="${NEW}?from=${one.effective_date}">${t('Use as a draft')}</a>`,
      ]),
      t('This server has no terms of service yet.'),
    )}`,
  })
}

/** Default effective date: in 30 days, so that account holders have time to read the terms. */
const defaultDay = (now: number): string => new Date(now + 30 * 86_400_000).toISOString().slice(0, 10)

interface Draft {
  readonly text: string
  readonly effective_date: string
}

const compose = (request: StaffRequest, draft: Draft, more: { problem?: string | null; preview?: string } = {}): void =>
  request.show({
    title: t('New terms of service'),
    current: 'terms',
    above: html`<a href="${HERE}">${t('Terms of service')}</a>`,
    refused: Boolean(more.problem),
    body: html`${
      more.preview === undefined
        ? ''
        : html`<section class="card prose" aria-label="${t('Preview')}"><p><span class="badge warn">${t('Preview')}</span></p>${staffText(more.preview)}</section>`
    }<form class="card edit wide" method="post" action="${NEW}">${request.csrfField}${problemOf(more.problem)}${linesOf({ name: 'text', label: t('Text'), help: t("In Markdown; %'{'domain'}' becomes the domain of this server."), value: draft.text, rows: 20, max: 200_000, required: true })}${lineOf({ name: 'effective_date', label: t('In force from'), type: 'date', help: t('Terms that are announced for the same day are replaced.'), value: draft.effective_date, required: true })}<p class="muted small">${t('After publication all account holders get an e-mail with the day.')}</p><div class="acts"><button class="quiet" type="submit" name="do" value="preview">${t('Preview')}</button><button type="submit" name="do" value="publish">${t('Publish')}</button></div></form>`,
  })

const draftIn = (form: Fields): Draft => ({
  text: textIn(form, 'text'),
  effective_date: textIn(form, 'effective_date'),
})

export const addTerms = (admin: Admin): void => {
  admin.add('get', HERE, 'manage_settings', list)
  admin.add('get', NEW, 'manage_settings', async (request) => {
    const { from } = filtersIn(request.req.query, ['from'])
    const text = from ? (await request.callApi(termsOfServiceSource, { date: from })).text : ''
    compose(request, { text, effective_date: defaultDay(request.now) })
  })
  admin.add('post', NEW, 'manage_settings', async (request, form) => {
    const draft = draftIn(form)
    if (form.do === 'preview') {
      let preview = ''
      const problem = await attempt(async () => {
        preview = (await request.callApi(previewTermsOfService, { text: draft.text })).content
      })
      return compose(request, draft, problem ? { problem } : { preview })
    }
    const problem = await attempt(() => request.callApi(publishTermsOfService, draft))
    return problem
      ? compose(request, draft, { problem })
      : request.done(HERE, t('The terms of service were published.'))
  })
}
