/** CSS of all pages, in light and dark mode as the browser prefers. */

export const STYLE = `:root{color-scheme:light dark;--ink:#1b2530;--muted:#566472;--line:#d9e0e6;--paper:#fff;--ground:#f2f5f7;--accent:#1f6f75;--accent-ink:#fff;--bad:#a22c2b;--wash:#e3eef0}
@media(prefers-color-scheme:dark){:root{--ink:#e6ebf0;--muted:#9dabb9;--line:#33404c;--paper:#1a222b;--ground:#11171d;--accent:#6fc3c4;--accent-ink:#06211f;--bad:#ff918d;--wash:#1f2f36}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;min-height:100vh;display:flex;flex-direction:column}
a{color:var(--accent);text-underline-offset:.15em}
img,video,audio{max-width:100%}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.5rem 1rem;z-index:1;border-radius:8px}
.visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.bar{border-bottom:1px solid var(--line);background:var(--paper)}
.bar>div{max-width:42rem;margin:0 auto;padding:.7rem 1rem;display:flex;gap:1.1rem;align-items:center;flex-wrap:wrap}
.bar a{text-decoration:none;color:inherit}.bar nav{margin-left:auto;display:flex;gap:1.1rem}.bar nav a:hover,.bar nav a:focus-visible{text-decoration:underline}
input[type=checkbox],input[type=radio]{accent-color:var(--accent)}
.brand{display:flex;align-items:center;gap:.6rem;font-weight:650;font-size:1.05rem;overflow-wrap:anywhere}
main{width:100%;max-width:34rem;margin:0 auto;padding:1.5rem 1rem 3rem;flex:1}
body.wide main{max-width:42rem}
body.settings .bar>div,body.settings main,body.settings footer.site{max-width:62rem}
body.settings main{display:grid;grid-template-columns:14.5rem minmax(0,1fr);gap:1.75rem;align-items:start}
body.settings .pages{max-width:42rem}
.sections ul{list-style:none;margin:0;padding:0;display:flex;flex-direction:column;gap:.15rem}
.sections a{display:block;padding:.5rem .8rem;border-radius:9px;color:inherit;text-decoration:none}
.sections a:hover{background:var(--wash)}.sections a[aria-current]{background:var(--wash);font-weight:650;color:var(--accent)}
@media(max-width:46rem){body.settings main{display:block}.sections{margin:0 0 1.2rem}.sections ul{flex-direction:row;flex-wrap:wrap;gap:.35rem}.sections a{border:1px solid var(--line);background:var(--paper);padding:.3rem .75rem;border-radius:99px;font-size:.92rem}}
.flash{background:var(--wash);border:1px solid var(--accent);border-left-width:5px;border-radius:9px;padding:.7rem .9rem;overflow-wrap:anywhere}
.flash.wrong{border-color:var(--bad);color:var(--bad);font-weight:600;background:var(--paper)}
.bar form{margin:0}button.plain{background:none;border:0;padding:0;margin:0;font-weight:400;color:inherit;text-decoration:none}button.plain:hover{text-decoration:underline;filter:none}
.rows{list-style:none;margin:0;padding:0}.rows>li{display:flex;gap:.6rem 1rem;justify-content:space-between;align-items:flex-start;flex-wrap:wrap;padding:.85rem 0;border-top:1px solid var(--line)}
.rows>li:first-child{border-top:0;padding-top:0}.rows>li:last-child{padding-bottom:0}.rows>li>div{min-width:0;flex:1 1 14rem;overflow-wrap:anywhere}.rows form{margin:0}.rows form>button{margin:0}.rows b{display:block}
p.providers{margin:1.4rem 0 .6rem}
svg.qr{display:block;width:min(100%,15rem);height:auto;border-radius:10px;border:1px solid var(--line);margin:0 0 1rem}
code.secret{font-size:1.05rem;letter-spacing:.04em}
ul.codes label{margin:0;font-weight:400}ul.codes{list-style:none;margin:0 0 1.2rem;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.5rem}ul.codes code{display:block;padding:.5rem .7rem;font-size:1.05rem;text-align:center}
details form{margin:.3rem 0 .6rem}.card>details:last-child form{margin-bottom:0}form+p{margin-top:1.1rem}ul.rows+p,ul.rows+form{margin-top:1.1rem}#key-form>button{margin-top:0}details>form>label:first-of-type{margin-top:.6rem}
[hidden]{display:none!important}
button.danger,.button.danger{background:transparent;color:var(--bad);border-color:var(--bad)}
button.small,.button.small{padding:.35rem .8rem;font-size:.92rem}
footer.site{max-width:42rem;width:100%;margin:0 auto;padding:1rem;color:var(--muted);font-size:.9rem;display:flex;gap:1rem;flex-wrap:wrap}
footer.site a{color:inherit}
.card{background:var(--paper);border:1px solid var(--line);border-radius:14px;padding:1.4rem;margin:0 0 1rem}
.hero{padding:0;overflow:hidden}.hero>img{display:block;width:100%;height:auto;aspect-ratio:3.4;object-fit:cover}.hero>div{padding:1.4rem}
h1{font-size:1.45rem;margin:0 0 .6rem;line-height:1.25;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:1.6rem 0 .7rem}.pages>h1{margin-bottom:1rem}.card h2:first-child{margin-top:0}
p{margin:0 0 .8rem}.card>:last-child,.hero>div>:last-child{margin-bottom:0}
label{display:block;font-weight:600;margin:1rem 0 .35rem}
input[type=email],input[type=text],input[type=password],input[type=url],input[type=number],input[type=search],input[type=date],select,textarea{width:100%;padding:.65rem .75rem;font:inherit;color:inherit;background:var(--ground);border:1px solid var(--muted);border-radius:9px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
button,.button{display:inline-block;font:inherit;font-weight:600;padding:.6rem 1.15rem;border-radius:9px;border:1px solid var(--accent);background:var(--accent);color:var(--accent-ink);cursor:pointer;text-decoration:none}
form>button,form>.row{margin-top:1.25rem}
button.quiet,.button.quiet{background:transparent;color:var(--ink);border-color:var(--muted)}
.row{display:flex;gap:.75rem;flex-wrap:wrap;align-items:center}.muted{color:var(--muted)}.bad{color:var(--bad);font-weight:600}.small{font-size:.9rem}
code{font:.95rem/1.5 ui-monospace,SFMono-Regular,Menlo,monospace;background:var(--ground);padding:.2rem .4rem;border-radius:6px;overflow-wrap:anywhere}
code.big{display:block;padding:.8rem;font-size:1.05rem;border:1px solid var(--line)}
ul.scopes{margin:.5rem 0 1rem;padding-left:1.2rem}
.who{display:flex;gap:.75rem;align-items:center;min-width:0;text-decoration:none;color:inherit}
.who>span{min-width:0;line-height:1.3}.who b{display:block;overflow-wrap:anywhere}.who .muted{font-size:.9rem;overflow-wrap:anywhere}
img.avatar{width:46px;height:46px;border-radius:10px;object-fit:cover;background:var(--wash);flex:none}
.person .avatar{width:88px;height:88px;border-radius:16px;border:4px solid var(--paper);margin-top:-62px;position:relative}
.person h1{margin:.4rem 0 0}.person h1+p{overflow-wrap:anywhere}.person .numbers{display:flex;gap:.2rem 1.2rem;flex-wrap:wrap;margin:.9rem 0 0;padding:0;list-style:none}
.numbers b{font-variant-numeric:tabular-nums}
dl.fields{margin:1rem 0 0;border:1px solid var(--line);border-radius:10px;overflow:hidden}
dl.fields>div{display:grid;grid-template-columns:minmax(7.5rem,30%) 1fr;border-top:1px solid var(--line)}dl.fields>div:first-child{border-top:0}
dl.fields dt,dl.fields dd{margin:0;padding:.5rem .75rem;overflow-wrap:anywhere}dl.fields dt{background:var(--ground);font-weight:600}
dl.fields .verified{background:var(--wash)}
.badge{display:inline-block;border:1px solid var(--line);border-radius:99px;padding:.05rem .6rem;font-size:.85rem;color:var(--muted);vertical-align:middle}
.status .top{display:flex;justify-content:space-between;gap:.3rem 1rem;align-items:flex-start;flex-wrap:wrap}.status .top .who{flex:1 1 13rem}.status .top time{font-size:.9rem;white-space:nowrap}
.status .top>a:last-child{color:var(--muted);text-decoration:none}.status .top>a:last-child:hover{text-decoration:underline}
.status .above{overflow-wrap:anywhere;font-size:.9rem;color:var(--muted);margin-bottom:.6rem}
.status.main{border-color:var(--accent);border-width:2px}.status.main .content{font-size:1.12rem}
.content{overflow-wrap:anywhere;margin-top:.7rem}.content :last-child{margin-bottom:0}
.invisible{font-size:0;line-height:0;display:inline-block;width:0;height:0;position:absolute}.ellipsis::after{content:"…"}
.content pre{overflow-x:auto}.content blockquote{margin:0 0 .8rem;padding-left:.9rem;border-left:3px solid var(--line)}
img.emoji{width:1.25em;height:1.25em;object-fit:contain;vertical-align:-.25em;margin:0 .05em}
details{margin-top:.7rem}summary{cursor:pointer;font-weight:600}
.media{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:.5rem;margin-top:.8rem}
.media img,.media video{width:100%;height:100%;max-height:26rem;object-fit:cover;border-radius:10px;display:block;background:var(--wash)}.media audio{width:100%}
.poll{list-style:none;margin:.8rem 0 0;padding:0}.poll li{margin-bottom:.6rem}.poll progress{width:100%;height:.55rem;accent-color:var(--accent)}
.link{display:flex;gap:.9rem;border:1px solid var(--line);border-radius:10px;overflow:hidden;margin-top:.8rem;text-decoration:none;color:inherit}
.link img{width:7rem;object-fit:cover;flex:none}.link>span{padding:.7rem .9rem .7rem 0;min-width:0;overflow-wrap:anywhere}.link>span:first-child{padding-left:.9rem}.link b{display:block}
.quoted{border:1px solid var(--line);border-radius:10px;padding:.9rem;margin:.8rem 0 0}
@media(max-width:34rem){.card.status{padding:1rem}.quoted{margin-inline:0;padding:.6rem}.quoted .who{gap:.5rem}.quoted img.avatar{width:32px;height:32px}.quoted .who .muted{font-size:.8rem}}
.counts{display:flex;gap:1.2rem;color:var(--muted);font-size:.9rem;margin:.9rem 0 0;flex-wrap:wrap}
.reactions{list-style:none;display:flex;gap:.4rem;flex-wrap:wrap;margin:.9rem 0 0;padding:0}.reactions li{max-width:100%;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:99px;padding:.1rem .65rem;font-size:.92rem}
.tags{display:flex;gap:.4rem;flex-wrap:wrap;margin-top:.8rem}
fieldset{border:1px solid var(--line);border-radius:9px;margin:1rem 0 0;padding:.4rem .9rem .8rem}legend{font-weight:600;padding:0 .3rem}
label.choice{font-weight:400;margin:.45rem 0 0;display:flex;gap:.55rem;align-items:baseline}input[type=file]{font:inherit;max-width:100%}
.card>p>progress{width:100%;height:.8rem;accent-color:var(--accent)}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.92rem}td{border-top:1px solid var(--line);padding:.35rem .8rem .35rem 0;white-space:nowrap}tr:first-child td{border-top:0}
ol.rules{padding-left:1.4rem;margin:0}ol.rules li{margin-bottom:.5rem}
.prose{overflow-wrap:anywhere}.prose img{height:auto}
:is(.content,.prose),:is(.content,.prose) :is(p,li,pre),dl.fields :is(dt,dd),.quote{unicode-bidi:plaintext}
@media(prefers-reduced-motion:no-preference){button,.button{transition:filter .15s}}button:hover,.button:hover{filter:brightness(1.07)}
@media print{.bar nav,footer.site,form{display:none}}
`
