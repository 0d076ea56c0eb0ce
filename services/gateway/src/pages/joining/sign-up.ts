/** Sign-up in a browser: first the rules, then the form. */
import { type Opening, registrationOpening, signUpUser } from '@murmuration/contracts/accounts'
import { showInstance, termsOfServiceNow } from '@murmuration/contracts/admin'
import type { Rule } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'
import { msg } from '@murmuration/messages'
import { pageLocaleOf } from '../../edge/locale.js'
import { alertOf, type Form, problemsOf, userField } from '../core/field.js'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { card, NEW_WINDOW, sendPage } from '../core/layout.js'
import type { PageRequest, Pages } from '../core/page-request.js'
import { orNull } from '../core/public-data.js'
import { redirect } from '../core/redirect.js'
import type { Sessions } from '../core/session.js'
import { type BotGuard, createBotGuard } from './bot-guard.js'

const TOO_QUICK = msg('The form was submitted too quickly, or it has expired. Please submit it again.')

const codeIn = (value: unknown): string => (typeof value === 'string' && /^[\w-]{1,100}$/.test(value) ? value : '')

const openingFor = ({ ctx, ip }: PageRequest, code: string): Promise<Opening> =>
  ctx.call(registrationOpening, { invite_code: code || null, ip })

/** Sends the page of a server with closed registrations. */
const closed = ({ ctx, res }: PageRequest, opening: Opening): void => {
  const { site_title: title } = ctx.policy.settings()
  const words = opening.external_only
    ? html`<p>${t('Accounts on {site} are created by an external sign-in service.', { site: title })}</p><p><a class="button" href="/auth/sign_in">${t('Sign in')}</a></p>`
    : html`<p>${opening.closed_message || t('Registrations on {site} are currently closed.', { site: title })}</p>${
        opening.bad_code ? html`<p>${t('This invite is used up or has expired.')}</p>` : ''
      }<p class="muted">${t('You can sign up on another server and follow people on this one.')}</p>`
  sendPage(ctx, res, {
    title: t('Sign up'),
    status: 403,
    indexed: false,
    body: card(t('Registrations are closed'), words),
  })
}

/** Returns the rules of the server, which the first page shows; empty if the call fails. */
const rulesOf = async ({ ctx }: PageRequest): Promise<Rule[]> => (await orNull(ctx.call(showInstance, {})))?.rules ?? []

/** True if terms of service are in effect; false if the call fails. */
const hasTerms = async ({ ctx }: PageRequest): Promise<boolean> =>
  (await orNull(ctx.call(termsOfServiceNow, {})))?.effective === true

/** The texts to which a new account agrees. */
interface Agreed {
  readonly rules: boolean
  readonly terms: boolean
}

const agreement = ({ rules, terms }: Agreed): Html => {
  const links = {
    rules: html`<a href="/about#rules"${NEW_WINDOW}>${t('rules')}</a>`,
    terms: html`<a href="/terms-of-service"${NEW_WINDOW}>${t('terms of service')}</a>`,
    policy: html`<a href="/privacy-policy"${NEW_WINDOW}>${t('privacy policy')}</a>`,
  }
  if (rules && terms) return t('I agree to the {rules}, the {terms} and the {policy}', links)
  if (rules) return t('I agree to the {rules} and the {policy}', links)
  return terms ? t('I agree to the {terms} and the {policy}', links) : t('I agree to the {policy}', links)
}

const rulesPage = ({ ctx, res }: PageRequest, rules: readonly Rule[], code: string): void =>
  sendPage(ctx, res, {
    title: t('Sign up'),
    indexed: false,
    body: card(
      t('Server rules'),
      html`<p>${t('These are set and enforced by the moderators of {site}.', { site: ctx.policy.settings().site_title })}</p>
<ol class="rules">${rules.map(({ text, hint }) => html`<li><strong>${text}</strong>${hint ? html`<br><span class="muted">${hint}</span>` : ''}</li>`)}</ol>
<form method="get" action="/auth/sign_up"><input type="hidden" name="accept" value="1">${code ? html`<input type="hidden" name="invite_code" value="${code}">` : ''}
<div class="row"><button type="submit">${t('I accept')}</button><a class="button quiet" href="/">${t('Back')}</a></div></form>`,
    ),
  })

const reasonField = (opening: Opening, form: Form): Html | '' =>
  opening.reason === 'none'
    ? ''
    : html`<label for="reason">${t('Why do you want to join?')}${opening.reason === 'optional' ? ` (${t('optional')})` : ''}</label><textarea id="reason" name="user[reason]" rows="3" maxlength="${limits.accounts.signUpReasonCharacters}"${opening.reason === 'required' ? html` required` : ''}>${userField(form, 'reason')}</textarea>
<p class="muted small">${t('This helps the moderators review your request.')}</p>`

const ageField = ({ min_age: age }: Opening, form: Form): Html | '' =>
  age === null
    ? ''
    : html`<label for="born">${t('Date of birth')}</label><input id="born" type="date" name="user[date_of_birth]" value="${userField(form, 'date_of_birth', 20)}" autocomplete="bday" required>
<p class="muted small">${t('You must be at least {age} years old. The date is not stored.', { age })}</p>`

const formPage = (
  request: PageRequest,
  sessions: Sessions,
  guard: BotGuard,
  {
    opening,
    code,
    form = {},
    problems = [],
    agreed,
  }: { opening: Opening; code: string; form?: Form; problems?: string[]; agreed: Agreed },
): void => {
  const { ctx, req, res } = request
  const { inviter } = opening
  sendPage(ctx, res, {
    title: t('Sign up'),
    status: problems.length ? 422 : 200,
    indexed: false,
    body: card(
      t('Join {site}', { site: ctx.policy.settings().site_title }),
      html`${alertOf(problems)}${inviter ? html`<p>${t('{name} invited you to join.', { name: html`<strong>${inviter.display_name || inviter.username}</strong>` })}</p>` : ''}
<form method="post" action="/auth">${sessions.csrfField(req, res)}${guard.fields()}<input type="hidden" name="user[invite_code]" value="${code}">
<label for="username">${t('Username')}</label><input id="username" type="text" name="user[username]" value="${userField(form, 'username', 100)}" maxlength="${limits.accounts.usernameCharacters}" pattern="[A-Za-z0-9_]+" autocapitalize="none" autocomplete="nickname" spellcheck="false" required autofocus>
<p class="muted small">${t('You can use letters, numbers and underscores. Your address will be @{name}@{domain}. It cannot be changed later.', { name: html`<i>${t('name')}</i>`, domain: ctx.site.localDomain })}</p>
<label for="email">${t('E-mail address')}</label><input id="email" type="email" name="user[email]" value="${userField(form, 'email', 320)}" maxlength="${limits.accounts.emailCharacters}" autocomplete="email" required>
<label for="password">${t('Password')}</label><input id="password" type="password" name="user[password]" minlength="8" autocomplete="new-password" aria-describedby="password-rule" required>
<p id="password-rule" class="muted small">${t('Use 8 to 128 characters, and no common password.')}</p>
${ageField(opening, form)}${reasonField(opening, form)}
<p><label><input type="checkbox" name="user[agreement]" value="1" required> ${agreement(agreed)}</label></p>
<button type="submit">${t(opening.mode === 'approved' && !inviter ? 'Request an account' : 'Sign up')}</button></form>
<p class="muted">${t('Already have an account?')} <a href="/auth/sign_in">${t('Sign in')}</a></p>`,
    ),
  })
}

/** Converts the form into the input of `signUpUser`. */
const signUpInputOf = (form: Form, locale: string) => ({
  username: userField(form, 'username'),
  email: userField(form, 'email'),
  password: userField(form, 'password'),
  agreement: userField(form, 'agreement') === '1',
  reason: userField(form, 'reason'),
  date_of_birth: userField(form, 'date_of_birth', 200),
  invite_code: codeIn(userField(form, 'invite_code')),
  locale,
})

export const addSignUp = (pages: Pages, sessions: Sessions): void => {
  let guard: BotGuard | undefined
  pages.add('get', '/auth/sign_up', async (request) => {
    const { ctx, req, res } = request
    guard ??= createBotGuard(ctx)
    if (await sessions.user(req)) return redirect(res, '/settings', 303)
    const code = codeIn(req.query.invite_code)
    const opening = await openingFor(request, code)
    if (!opening.open) return closed(request, opening)
    const [rules, terms] = await Promise.all([rulesOf(request), hasTerms(request)])
    if (req.query.accept === undefined && rules.length) return rulesPage(request, rules, code)
    formPage(request, sessions, guard, { opening, code, agreed: { rules: rules.length > 0, terms } })
  })
  pages.add(
    'post',
    '/auth',
    async (request) => {
      const { ctx, req, res, ip } = request
      guard ??= createBotGuard(ctx)
      const form = await sessions.form(req)
      await request.limit()
      const code = codeIn(userField(form, 'invite_code'))
      const again = async (problems: string[]) => {
        const opening = await openingFor(request, code)
        if (!opening.open) return closed(request, opening)
        const [rules, terms] = await Promise.all([rulesOf(request), hasTerms(request)])
        const agreed = { rules: rules.length > 0, terms }
        formPage(request, sessions, guard as BotGuard, { opening, code, form, problems, agreed })
      }
      if (!guard.passes(form)) return again([t(TOO_QUICK)])
      try {
        const { session } = await ctx.call(signUpUser, {
          ...signUpInputOf(form, pageLocaleOf(req, req.query)),
          ip,
          userAgent: req.headers['user-agent']?.slice(0, 512) ?? null,
        })
        sessions.begin(res, session)
        redirect(res, '/auth/setup', 303)
      } catch (error) {
        await again(problemsOf(error))
      }
    },
    'login',
  )
}
