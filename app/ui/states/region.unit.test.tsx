import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { renderToPipeableStream } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { Region } from './region.tsx';

function Fails(): never {
  throw new TypeError('cannot be drawn');
}

it('what fails on the server is one part of the page, which is said and reported', async () => {
  const reported: unknown[] = [];
  const html = await new Promise<string>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <MemoryRouter>
        <h1>A page</h1>
        <Region>
          <Fails />
        </Region>
        <Region>{() => Fails()}</Region>
        <Region failed={() => <p>another sentence</p>}>
          <Fails />
        </Region>
        <Region>
          <p>goes on</p>
        </Region>
      </MemoryRouter>,
      {
        onAllReady: () => resolve(text(pipe(new PassThrough()))),
        onShellError: reject,
        onError: (error) => {
          reported.push(error);
        },
      },
    );
  });
  expect(html).toContain('<h1>A page</h1>');
  expect(html).toContain('<p>goes on</p>');
  expect(html.match(/This part of the page couldn’t be shown/g)).toHaveLength(2);
  expect(html).toContain('<p>another sentence</p>');
  expect(reported).toHaveLength(3);
});
