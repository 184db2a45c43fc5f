import { html, raw } from 'hono/html';
import { siteName } from '../../../app/site.ts';
import { deedOf } from '../../../app/solution/build-files/text-licences.ts';
import { citation } from '../../../app/solution/citing/citation.ts';
import { costText, hoursText, makerText } from '../../../app/solution/fabrication/fabrication.ts';
import { withUnit } from '../../../app/solution/outcomes/measure.ts';
import { audienceLabel, factsOf, solutionSections } from '../../../app/solution/solutions/value-lists.ts';
import { noticeKind, warnedTitle } from '../../../app/solution/warnings/safety-notice-kinds.ts';
import { asWritten } from '../../../app/ui/languages/guess-language.ts';
import { textLanguage } from '../../../app/ui/languages/languages.ts';
import { formatDay } from '../../../app/ui/texts/dates.ts';
import { light } from '../../../app/ui/tokens.ts';
import type { Taken, TakenSolution } from './solution.ts';

type Html = ReturnType<typeof html>;

const style = `body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:1.0625rem/1.6 'Atkinson Hyperlegible Next',Verdana,Arial,sans-serif;color:${light.ink}}
h1,h2{line-height:1.25}p,li{white-space:pre-line;overflow-wrap:anywhere}img,video{max-width:100%;height:auto}figure{margin:1.5rem 0}
table{border-collapse:collapse;width:100%}th,td{text-align:start;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid ${light.line}}
aside{border:2px solid ${light.red};border-radius:.5rem;padding:.25rem 1rem}aside.caution{border-color:${light.amber}}aside h2{margin:.5rem 0;font-size:inherit}dt{color:${light['ink-3']}}dd{margin:0 0 .5rem}`;

/** A solution as a page that needs nothing but a browser and the files beside it. */
export const documentOf = (solution: TakenSolution, taken: Taken, siteUrl: string): string =>
  String(html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${warnedTitle(solution.safety_kind, taken.cited.title)}</title>
<style>${raw(style)}</style>
</head>
<body>
${articleOf(solution, taken, siteUrl)}
</body>
</html>
`);

/** What that page says, its safety notices first. */
export function articleOf(solution: TakenSolution, taken: Taken, siteUrl: string): Html {
  const own = ownOf(solution);
  const { cited, hasTexts, media, files, originalVersion } = taken;
  const { licence, audience, notices, partNotices, outcomes, fabrication } = solution;
  const deed = deedOf(licence);
  return html`${notices.map(
    ({ kind, content, language, translated, created_at }) => html`<aside class="${kind}">
<h2>${noticeKind(kind).title} ${formatDay(created_at)}</h2>
${translated === undefined ? '' : html`<p ${own}>${translated}</p>`}<p ${saidOf(content, language)}>${content}</p>
</aside>
`,
  )}
${partNotices.map(
  ({ kind, content, language, created_at, ...part }) => html`<aside class="${kind}">
<h2>${noticeKind(kind).choice}: <bdi>${makerText(part)}</bdi> ${formatDay(created_at)}</h2>
<p ${saidOf(content, language)}>${content}</p>
</aside>
`,
)}
${
  originalVersion === undefined
    ? ''
    : html`<p><strong>This translation is out of date.</strong> It is of version ${cited.version}, and the original is at version ${originalVersion}. Parts, measures and images may have changed as well.</p>
`
}<h1 ${own}>${cited.title}</h1>
<p><bdi>${cited.author}</bdi>, version ${cited.version}, ${formatDay(cited.publishedAt)}</p>
${
  cited.translated
    ? html`<p>Translated into ${cited.translated.into} by <bdi>${cited.translated.by}</bdi>.</p>
`
    : ''
}<p>This is a copy from ${siteName()}. Before you build it, look for safety notices and newer versions at <a href="${siteUrl}/solutions/${cited.id}">${siteUrl}/solutions/${cited.id}</a>. If the page says that it was withdrawn, please delete this copy.</p>
${audience === 'public' ? '' : html`<p><strong>${audienceLabel(audience)} can see this solution. Keep it from others.</strong></p>`}
${hasTexts ? textsOf(solution, taken) : html`<p>The author keeps the rights to the texts, images and videos, so they are not in this copy. Read them on the page.</p>`}
<h2>Details</h2>
<dl>${factsOf(solution).map(({ label, text }) => html`<dt>${label}</dt><dd dir="auto">${text}</dd>`)}</dl>
${
  hasTexts && outcomes.length > 0
    ? html`<h2>Measured outcomes</h2>
<ul>${outcomes.map(
        ({ measure, score_before, score_after, people, follow_up_weeks }) =>
          html`<li>${measure.name} (${measure.abbreviation}): ${score_before === null ? '' : html`${withUnit(score_before, measure.unit)} before, `}${withUnit(score_after, measure.unit)} after; ${people} ${people === 1 ? 'person' : 'people'}${follow_up_weeks === null ? '' : `, after ${follow_up_weeks} ${follow_up_weeks === 1 ? 'week' : 'weeks'}`}</li>`,
      )}</ul>`
    : ''
}
${hasTexts && fabrication ? fabricationOf(fabrication, media, own) : ''}
${
  files.length > 0
    ? html`<h2>Build files</h2>
<ul>${files.map((file) => html`<li><a href="${file.name.split('/').map(encodeURIComponent).join('/')}"><bdi>${file.name.slice('files/'.length)}</bdi></a>, ${file.licence}${file.description ? html`<br><bdi ${own}>${file.description}</bdi>` : ''}</li>`)}</ul>`
    : ''
}
<h2>Licence</h2>
<p>Texts, images and videos: ${deed ? html`<a href="${deed}">${licence}</a>` : 'all rights reserved'}. Each build file has the licence that stands beside it.</p>
<p>People shown in images can ask for their removal. Share no image in which someone can be recognised beyond your work.</p>
<h2>Citation</h2>
<p dir="auto">${citation('text', cited)}</p>`;
}

/** The attributes that say the language of the author's texts. */
const ownOf = ({ language }: TakenSolution): Html => {
  const { lang, dir } = textLanguage(language);
  return html`lang="${lang}" dir="${dir}"`;
};

/** The same of a safety notice. */
const saidOf = (text: string, language: string | null): Html => {
  const { lang, dir } = asWritten(text, language);
  return html`${lang ? html`lang="${lang}" ` : ''}dir="${dir}"`;
};

const textsOf = (
  solution: TakenSolution,
  { media }: Taken,
): Html => html`<div ${ownOf(solution)}><p>${solution.description}</p>
${solutionSections.map(({ column, title }) =>
  solution[column] ? html`<h2 lang="en-GB" dir="ltr">${title}</h2>\n<p>${solution[column]}</p>\n` : '',
)}
${media.map(
  ({ name, isImage, description }) => html`<figure>
${isImage ? html`<img src="${name}" alt="${description ?? ''}" loading="lazy">` : html`<video src="${name}" controls preload="none"></video>`}
${description ? html`<figcaption>${description}</figcaption>` : ''}
</figure>
`,
)}</div>`;

function fabricationOf(
  { hours, tools, currency, parts, steps }: NonNullable<TakenSolution['fabrication']>,
  media: Taken['media'],
  own: Html,
): Html {
  const imageOf = (id: string | null) => media.find((one) => one.id === id && one.isImage);
  return html`<section>
<h2>How to build it</h2>
${hours === null ? '' : html`<p>Time: ${hoursText(hours)}</p>`}
${tools.length > 0 ? html`<p>Tools: <bdi ${own}>${tools.join(', ')}</bdi></p>` : ''}
${
  parts.length > 0
    ? html`<table><caption>Parts</caption>
<thead><tr><th>Part</th><th>Maker and number</th><th>Quantity</th><th>Cost of one</th></tr></thead>
<tbody>${parts.map(
        (part) =>
          html`<tr><td ${own}>${part.component}</td><td ${own}>${makerText(part)}</td><td>${part.quantity}</td><td>${part.cost === null ? '' : costText(part.cost, currency)}</td></tr>`,
      )}</tbody></table>`
    : ''
}
${
  steps.length > 0
    ? html`<h3 id="steps">Steps</h3>
<ol>${steps.map(({ instruction, media_id }) => {
        const image = imageOf(media_id);
        return html`<li ${own}>${instruction}${image ? html`<br><img src="${image.name}" alt="${image.description ?? ''}" loading="lazy">` : ''}</li>`;
      })}</ol>`
    : ''
}
</section>`;
}
