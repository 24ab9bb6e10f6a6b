int chosen(int kind) {
    switch (kind) {
    case 1:
        kind = 4;
    case 2: {
        int own = 3;
        return own;
    }
    default:
        break;
    }
    if (kind) goto done;
    kind = 7;
done:
    return kind;
}
