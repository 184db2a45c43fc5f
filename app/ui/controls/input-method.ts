/**
 * Whether a key is pressed for an input method, which makes words of Japanese, Chinese or Korean from several keys: its
 * Enter ends the word, and its arrows choose among words. Safari sends that Enter when the word has ended already, and only
 * its key code is the one of an input method.
 */
export const isOfInputMethod = ({ nativeEvent }: { nativeEvent: KeyboardEvent }): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;
