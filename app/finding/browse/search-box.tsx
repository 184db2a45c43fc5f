import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react';
import { suggestionsQuery } from '#app/solution/solutions/data.ts';
import { browserClient } from '#app/supabase.ts';
import { isOfInputMethod } from '#app/ui/controls/input-method.ts';
import { SearchInput } from '#app/ui/controls/search-input.tsx';
import { classes } from '#app/ui/texts/classes.ts';

/** The pause in typing after which the results follow, in ms; suggestions come sooner. */
const RESULTS_DEBOUNCE_MS = 350;
const SUGGESTIONS_DEBOUNCE_MS = 120;

interface SearchBoxProps {
  search: string;
  /** `typing` while the reader has only paused. */
  onSearch: (search: string, typing: boolean) => void;
}

/**
 * Searches while the reader types, without taking back letters typed since the last answer, and suggests
 * searches: a combobox whose list is walked with the arrow keys while the focus stays in the box.
 */
export function SearchBox({ search, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(search);
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const sent = useRef(search);
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  const listId = useId();

  const stop = useCallback(() => timers.current.forEach(clearTimeout), []);
  useEffect(() => {
    if (search === sent.current) return;
    sent.current = search;
    setText(search);
  }, [search]);
  useEffect(() => stop, [stop]);

  const suggestions = useQuery({
    ...suggestionsQuery(browserClient, query),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
  const options =
    query === '' ? [] : (suggestions.data ?? []).filter((option) => option.text !== text.trim());
  const expanded = open && options.length > 0;

  const send = (value: string, typing: boolean) => {
    sent.current = value.trim();
    onSearch(sent.current, typing);
  };
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const choose = (option: string) => {
    stop();
    setText(option);
    close();
    send(option, false);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (isOfInputMethod(event)) return;
    const chosen = expanded ? options[active] : undefined;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (options.length === 0) return;
      event.preventDefault();
      setOpen(true);
      // One position more than there are options: the box itself, with the typed text.
      const positions = options.length + 1;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((now) =>
        expanded ? ((now + 1 + step + positions) % positions) - 1 : step > 0 ? 0 : options.length - 1,
      );
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(chosen?.text ?? text);
    } else if (event.key === 'Escape' && expanded) {
      event.preventDefault();
      close();
    } else if (event.key === 'Tab') close();
  };

  return (
    <div className="relative w-full">
      <SearchInput
        name="q"
        role="combobox"
        aria-label="Search solutions"
        aria-autocomplete="list"
        aria-expanded={expanded}
        aria-controls={listId}
        aria-activedescendant={expanded && active >= 0 ? `${listId}-${active}` : undefined}
        placeholder="Search solutions..."
        className="min-h-11 bg-surface"
        value={text}
        onKeyDown={onKeyDown}
        onBlur={close}
        onChange={(event) => {
          const typed = event.target.value;
          setText(typed);
          setOpen(true);
          setActive(-1);
          stop();
          timers.current = [
            setTimeout(() => setQuery(typed.trim()), SUGGESTIONS_DEBOUNCE_MS),
            setTimeout(() => send(typed, true), RESULTS_DEBOUNCE_MS),
          ];
        }}
      />
      <div
        id={listId}
        role="listbox"
        aria-label="Suggestions"
        hidden={!expanded}
        className="absolute inset-x-0 top-full z-20 mt-2 rounded-md border bg-raised p-2 shadow-menu"
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box, which names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box hears the keys
          <div
            key={option.text}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            className={classes(
              'flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-sm px-3 hover:bg-chip lg:min-h-10',
              index === active && 'bg-chip',
            )}
            // A press would take the focus from the box, and with it close the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(option.text)}
          >
            <span className="truncate">{option.text}</span>
            {option.solutions !== null && (
              <span className="shrink-0 text-sm text-ink-3 tabular-nums">
                {option.solutions.toLocaleString('en-GB')}
                <span className="sr-only"> solutions</span>
              </span>
            )}
          </div>
        ))}
      </div>
      <span className="sr-only" aria-live="polite">
        {expanded ? `${options.length} suggestions` : ''}
      </span>
    </div>
  );
}
