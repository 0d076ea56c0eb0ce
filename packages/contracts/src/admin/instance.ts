/** Operations that return metadata of the server and its public pages. */
import { z } from 'zod'
import {
  DomainBlock,
  ExtendedDescription,
  Instance,
  InstanceActivity,
  Language,
  PrivacyPolicy,
  Rule,
  TermsOfService,
  V1Instance,
} from '../entities/index.js'
import { anyone, get, operation, optional, raw, text, textOrNone } from '../kit/index.js'

const nothing = z.object({})

export const showInstance = operation('admin.instance.show', {
  http: get('/api/v2/instance'),
  viewer: anyone(),
  input: nothing,
  output: Instance,
  cache: 'instance',
  about: 'Metadata of the server, its limits and its rules.',
})

export const showInstanceV1 = operation('admin.instance.show-v1', {
  http: get('/api/v1/instance', '2022-11-14'),
  viewer: anyone(),
  input: nothing,
  output: V1Instance,
  cache: 'instance',
  about: 'Metadata of the server and its limits, in the form of API v1.',
})

export const listRules = operation('admin.rule.list', {
  http: get('/api/v1/instance/rules'),
  viewer: anyone(),
  input: nothing,
  output: z.array(Rule),
  cache: 'instance',
  about: 'Rules of the server, in the order that staff chose.',
})

export const listLanguages = operation('admin.language.list', {
  http: get('/api/v1/instance/languages'),
  viewer: anyone(),
  input: nothing,
  output: z.array(Language),
  cache: 'instance',
  about: 'Languages of statuses.',
})

export const extendedDescription = operation('admin.page.extended-description', {
  http: get('/api/v1/instance/extended_description'),
  viewer: anyone(),
  input: nothing,
  output: ExtendedDescription,
  cache: 'instance',
  about: 'The extended description of the server, as HTML.',
})

export const privacyPolicy = operation('admin.page.privacy-policy', {
  http: get('/api/v1/instance/privacy_policy'),
  viewer: anyone(),
  // The language is a parameter, because shared caches store the response for each URL.
  input: z.object({ lang: textOrNone(100).optional() }),
  output: PrivacyPolicy,
  cache: 'instance',
  about:
    'The privacy policy, as HTML and as its Markdown source. A default policy is in the language `lang`, else in English.',
})

export const instanceActivity = operation('admin.instance.activity', {
  http: get('/api/v1/instance/activity'),
  viewer: anyone(),
  input: nothing,
  output: z.array(InstanceActivity),
  errors: ['not_found', 'unavailable'],
  cache: 'instance',
  about: 'Statuses, active users and registrations of the last twelve weeks, newest first, if staff publishes them.',
})

export const listPeers = operation('admin.peer.list', {
  http: get('/api/v1/instance/peers'),
  viewer: anyone(),
  input: nothing,
  output: z.array(z.string()),
  errors: ['not_found', 'unavailable'],
  cache: 'instance',
  large: true,
  about: 'Known servers that are not suspended, if staff publishes them.',
})

export const searchPeers = operation('admin.peer.search', {
  http: get('/api/v1/peers/search'),
  viewer: anyone(),
  input: z.object({ q: text(255).optional() }),
  output: z.array(z.string()).max(10),
  errors: ['not_found', 'unavailable'],
  cache: 'instance',
  about: 'Known servers whose domain begins with the query, at most ten.',
})

export const termsOfServiceNow = operation('admin.terms-of-service.show', {
  http: get('/api/v1/instance/terms_of_service'),
  viewer: anyone(),
  input: nothing,
  output: TermsOfService,
  errors: ['not_found'],
  cache: 'instance',
  about: 'The current terms of service; before they take effect, the first announced ones.',
})

export const termsOfServiceAt = operation('admin.terms-of-service.show-dated', {
  http: get('/api/v1/instance/terms_of_service/:date'),
  viewer: anyone(),
  input: z.object({ date: text() }),
  output: TermsOfService,
  errors: ['not_found'],
  cache: 'instance',
  about: 'The terms of service that take effect on this day.',
})

export const listPublicDomainBlocks = operation('admin.domain-block.list-public', {
  http: get('/api/v1/instance/domain_blocks'),
  viewer: optional(),
  input: nothing,
  output: z.array(DomainBlock),
  errors: ['not_found'],
  // Signed-in users may see more of the server's data, so only responses to anonymous requests are cached.
  cache: 'anonymous',
  large: true,
  about: 'Domains that this server limits or suspends, if staff publishes them.',
})

export const showPicture = operation('admin.picture.show', {
  http: get('/instance/pictures/:name'),
  viewer: anyone(),
  input: z.object({ name: text(100) }),
  output: raw('image/png'),
  errors: ['not_found'],
  about: 'The picture and icons of the server.',
})
