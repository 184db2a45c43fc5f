import { type ComponentProps, type RefObject, useRef, useState } from 'react';
import type { FoundMember } from '#app/frame/members/data.ts';
import { useMember } from '#app/session.ts';
import { useField } from '#app/ui/controls/field.tsx';
import { Textarea } from '#app/ui/controls/input.tsx';
import { isOfInputMethod } from '#app/ui/controls/input-method.ts';
import { lazyPart } from '#app/ui/states/region.tsx';
import { RichText } from '#app/ui/texts/rich-text.tsx';
import { type Format, formatted, mentionAt, type Replacement } from './format-text.ts';

const loadToolbar = () => import('./formatting-toolbar.tsx');
const FormattingToolbar = lazyPart(loadToolbar, 'FormattingToolbar', null, () => null);
const MentionList = lazyPart(
  () => import('./mention-list.tsx'),
  'MentionList',
  null,
  () => null,
);

interface RichTextFieldProps extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'ref'> {
  value: string;
  /** For the preview. */
  language: string;
  onChange: (event: { target: { value: string } }) => void;
  box?: RefObject<HTMLTextAreaElement | null>;
}

/**
 * A field for a text with formatting: a toolbar, a preview, and the members whom an @ may mean. Toolbar and
 * members are loaded when the field is used.
 */
export function RichTextField({ value, language, onChange, box, rows = 5, ...rest }: RichTextFieldProps) {
  const { id = '' } = useField();
  const own = useRef<HTMLTextAreaElement>(null);
  const area = box ?? own;
  const member = useMember();
  const [isUsed, setIsUsed] = useState(value !== '');
  const [isPreview, setIsPreview] = useState(false);
  const [mention, setMention] = useState<string>();
  const [active, setActive] = useState(0);
  const [found, setFound] = useState<readonly FoundMember[]>([]);
  const isOpen = mention !== undefined && found.length > 0;
  const listId = `${id}-members`;

  const replace = ({ from, to, insert, start, end }: Replacement) => {
    const element = area.current;
    if (!element) return;
    element.focus();
    element.setSelectionRange(from, to);
    // Unlike a new value, this can be undone with the keyboard. It says false where it is not supported.
    if (!document.execCommand('insertText', false, insert))
      onChange({ target: { value: value.slice(0, from) + insert + value.slice(to) } });
    requestAnimationFrame(() => element.setSelectionRange(start, end));
  };
  const format = (kind: Format) => {
    const element = area.current;
    if (!element) return;
    const { selectionStart: start, selectionEnd: end } = element;
    replace(formatted({ text: value, start, end }, kind));
  };
  const choose = ({ username }: FoundMember) => {
    const caret = area.current?.selectionStart ?? value.length;
    const from = caret - (mention?.length ?? 0);
    setMention(undefined);
    const insert = `${username} `;
    replace({ from, to: caret, insert, start: from + insert.length, end: from + insert.length });
  };
  const lookForMention = (element: HTMLTextAreaElement) => {
    if (!member) return;
    setActive(0);
    setMention(
      element.selectionStart === element.selectionEnd
        ? mentionAt(element.value, element.selectionStart)
        : undefined,
    );
  };

  return (
    <div className="relative">
      {/* The toolbar has its place before it is loaded. */}
      <div className="flex min-h-11 items-center rounded-t-md border border-b-0 border-line-2 bg-surface px-1 lg:min-h-10">
        {isUsed ? (
          <FormattingToolbar
            fieldId={id}
            isPreview={isPreview}
            onFormat={format}
            onPreview={(next) => {
              setMention(undefined);
              setIsPreview(next);
            }}
          />
        ) : (
          <span className="px-2 text-sm text-ink-3">Type @username to notify a member.</span>
        )}
      </div>
      {isPreview && (
        <section
          aria-label="Preview"
          className="min-h-32 rounded-b-md border border-line-2 bg-surface px-3 py-2"
        >
          {value.trim() ? (
            <RichText text={value} language={language} />
          ) : (
            <p className="text-ink-3">Nothing to preview</p>
          )}
        </section>
      )}
      <Textarea
        {...rest}
        ref={area}
        rows={rows}
        hidden={isPreview}
        className={isPreview ? 'hidden' : 'rounded-t-none'}
        value={value}
        aria-haspopup={member ? 'listbox' : undefined}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
        onFocus={() => setIsUsed(true)}
        onBlur={() => setMention(undefined)}
        onChange={(event) => {
          onChange(event);
          lookForMention(event.target);
        }}
        onKeyDown={(event) => {
          const chosen = found[active];
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (!isOpen || !chosen || isOfInputMethod(event)) return rest.onKeyDown?.(event);
          if (step) setActive((active + step + found.length) % found.length);
          else if (event.key === 'Enter' || event.key === 'Tab') choose(chosen);
          else if (event.key === 'Escape') setMention(undefined);
          else return;
          event.preventDefault();
          // Escape closes the list alone, not the dialog around it.
          event.nativeEvent.stopImmediatePropagation();
          event.stopPropagation();
        }}
      />
      {mention !== undefined && !isPreview && (
        <MentionList id={listId} search={mention} active={active} onFound={setFound} onChoose={choose} />
      )}
    </div>
  );
}
