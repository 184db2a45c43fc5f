import { data } from 'react-router';
import { pageTitle } from '#app/site.ts';
import { NotFound } from './not-found.tsx';

export const meta = () => [{ title: pageTitle('Page not found') }, { name: 'robots', content: 'noindex' }];

export function loader() {
  return data(null, { status: 404 });
}

export default NotFound;
