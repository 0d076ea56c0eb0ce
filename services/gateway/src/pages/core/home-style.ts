/** CSS of the pages below `/home`. */

export const HOME_STYLE = `
.unread{background:var(--accent);color:var(--accent-ink);border-radius:99px;padding:.05rem .5rem;font-size:.82rem;font-weight:650;margin-left:.5rem}
.icon{fill:currentColor;flex:none;vertical-align:-.25em}
.compose{display:flex;flex-direction:column;gap:.6rem}.compose label{margin:.6rem 0 .3rem}.compose>label:first-of-type{margin:0;font-size:1.1rem}
.compose textarea{resize:vertical;min-height:6.5rem}.compose #room{margin:0}
.extras{display:flex;flex-wrap:wrap;gap:.5rem}.extras details{margin:0;min-width:0;max-width:100%;border:1px solid var(--line);border-radius:9px;padding:.4rem .8rem}.extras details[open]{flex:1 1 100%;padding-bottom:1rem}
.extras summary{font-weight:500}.pick{border-top:1px solid var(--line);padding:.4rem 0 .8rem}.extras details p{margin:.5rem 0 0}
.send{display:flex;gap:.8rem;align-items:flex-end;flex-wrap:wrap}.send>div{flex:1 1 10rem;min-width:0}.send label{margin:0 0 .3rem;font-size:.9rem}.send button{flex:0 1 8rem;margin:0}
.post{scroll-margin-top:1rem}.post:target{border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}
.post .above{display:flex;gap:.4rem;align-items:center}.post .above .icon{width:16px;height:16px}
.post .top{flex-wrap:nowrap}.post .top .who{flex:1 1 auto}.post .when{display:flex;gap:.35rem;align-items:center;white-space:nowrap;font-size:.9rem}.post .when .icon{width:15px;height:15px}
.post .edited{margin:.6rem 0 0}
.actions{display:flex;gap:.25rem;align-items:center;margin:.9rem 0 0 -.6rem;flex-wrap:wrap}.card>.actions:last-child{margin-bottom:-.5rem}
.act,.more summary{display:inline-flex;gap:.45rem;align-items:center;min-height:40px;min-width:44px;padding:.3rem .6rem;border:1px solid transparent;border-radius:9px;background:transparent;color:var(--muted);font-weight:500;font-size:.92rem;text-decoration:none;cursor:pointer;margin:0}
.actions>.act{margin:0}.act:hover,.more summary:hover{background:var(--wash);color:var(--ink);filter:none}.act[aria-pressed=true]{color:var(--accent);background:var(--wash);font-weight:700}
.act .n{font-variant-numeric:tabular-nums}
.more{margin:0 0 0 auto}.more summary{list-style:none}.more summary::-webkit-details-marker{display:none}.more[open]{flex:1 1 100%}.more[open] summary{float:right}
.more>div{display:flex;gap:.5rem 1.2rem;flex-wrap:wrap;padding:.6rem .6rem .3rem}.more>div>*{display:inline-flex;gap:.4rem;align-items:center;min-height:40px}.more button.plain{text-decoration:underline;font-size:1rem;color:var(--bad)}
.vote fieldset{margin-top:.8rem}.vote .choice{padding:.25rem 0}.vote .row{margin:.7rem 0 0}
.tabs{display:flex;gap:.4rem;flex-wrap:wrap;margin:0 0 1rem}
.find{display:flex;gap:.6rem;align-items:flex-end;flex-wrap:wrap}.find>div{flex:1 1 14rem}.find label{margin-top:0}.find button{margin:0}.sections .unread{float:right}
@keyframes fresh{from{background:var(--wash)}}@media(prefers-reduced-motion:no-preference){.fresh{animation:fresh 3s}}
.notices{list-style:none;margin:0;padding:0}.notice .above{display:flex;gap:.5rem;align-items:center;flex-wrap:wrap}.notice .above p{margin:0;flex:1 1 14rem;overflow-wrap:anywhere}.notice .summary{margin:.7rem 0 0}.notice .summary a{color:inherit}
.notice .post{border:0;padding:0;margin:1rem 0 0}img.avatar.small{width:32px;height:32px;border-radius:8px}
.pages>form.row{margin:0 0 1rem}.pages>form.row>button{margin:0}.person p.muted{overflow-wrap:anywhere}.pick input[type=file]{width:100%}.rows form.row{gap:.5rem}.person form.row{margin-top:1rem}.person form.row>button{margin:0}
@media(max-width:46rem){.sections .unread{float:none}}
@media(max-width:34rem){.post .top .who .muted{display:block}.send>div{flex:1 1 40%}.send button{flex:1 1 100%}}
`
