/** Open Graph and alternate links of pages, for link previews on other sites. */
import { type Html, html } from '../html.js'

export interface Preview {
  readonly type: 'website' | 'profile' | 'article'
  readonly title: string
  readonly description: string
  readonly url: string
  readonly site: string
  readonly image?: string | undefined
  readonly imageAlt?: string | undefined
  /** True to show the picture of the link preview in full width. */
  readonly large?: boolean
  /** Further Open Graph properties: name and value. */
  readonly more?: readonly (readonly [string, string])[]
}

export const openGraph = (preview: Preview): Html => {
  const rows: [string, string | undefined][] = [
    ['og:type', preview.type],
    ['og:site_name', preview.site],
    ['og:title', preview.title],
    ['og:description', preview.description],
    ['og:url', preview.url],
    ['og:image', preview.image],
    ['og:image:alt', preview.imageAlt || undefined],
    ...(preview.more ?? []).map(([name, value]): [string, string] => [name, value]),
  ]
  return html`<meta name="description" content="${preview.description}">
<link rel="canonical" href="${preview.url}">
${rows.map(([name, value]) => (value === undefined ? '' : html`<meta property="${name}" content="${value}">`))}
<meta name="twitter:card" content="${preview.large ? 'summary_large_image' : 'summary'}">`
}

/** Link to the oEmbed document, with which other sites embed the page. */
export const oembedLink = (origin: string, url: string): Html =>
  html`<link rel="alternate" type="application/json+oembed" href="${origin}/api/oembed?format=json&url=${encodeURIComponent(url)}">`

/** Value of the Link header that names the ActivityPub document of the page. */
export const alternateHeader = (uri: string): string => `<${uri}>; rel="alternate"; type="application/activity+json"`

/** Link element that names the ActivityPub document of the page. */
export const alternate = (uri: string): Html =>
  html`<link rel="alternate" type="application/activity+json" href="${uri}">`
